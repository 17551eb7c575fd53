import { expect, test } from "vitest";
import { killed } from "../../bench/kill.ts";

// Fifty times in `npm run -s bench -- kill`. The library inside is the built one: the commands are real processes.
test("kill -9 during fit and save, at random moments: what is left opens or resumes, and ends as if nothing had happened", async () => {
  const { fit, save, usable } = await killed(10, 7);
  expect(fit).toBeGreaterThanOrEqual(5);
  expect(save).toBe(5);
  expect(usable).toBeGreaterThan(0);
});
