import { expect, test } from "vitest";
import { killed } from "../../bench/kill.ts";

// Fifty-one times in `npm run -s bench -- kill`. The library inside is the built one: the commands are real processes.
test("kill -9 during fit, stream and save, at random moments: what is left opens or resumes, and ends as if nothing had happened", async () => {
  const { fit, stream, save, usable } = await killed(4, 7);
  expect([fit, stream, save]).toEqual([4, 4, 4]);
  expect(usable).toBeGreaterThan(0);
});
