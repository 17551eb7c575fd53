import { expect, test } from "vitest";
import { killed } from "../../bench/kill.ts";

// More than two hundred times in `npm run -s bench -- kill`. The library inside is the built one: the commands are real
// processes.
test("kill -9 of fit, fit --force, stream, assign, save, report and export, at random moments: what is left opens or resumes, ends as if nothing had happened, and nothing of anybody else is touched", async () => {
  const { kills, usable, canaries, problems } = await killed(2, 7);
  expect(problems).toEqual([]);
  expect(Object.values(kills)).toEqual(Array(7).fill(2));
  expect(usable).toBeGreaterThan(7);
  expect(canaries).toBeGreaterThan(100);
});
