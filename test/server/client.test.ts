/** A hostile client: a share of `npm run -s bench -- hostile --client`. */

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { attackServer } from "../../bench/hostile/client.ts";

const command = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));

test("whatever is sent ends in 4xx unless somebody in session asks for what is there: no crash, no file touched, memory bounded", async () => {
  const { memory, statuses, found, requests, ...faults } = await attackServer(command, 400, 7);
  expect(found).toEqual([]);
  expect(faults).toEqual({
    "without a session, answered": 0,
    "5xx": 0,
    "without an answer": 0,
    crashes: 0,
    "files touched": 0,
  });
  expect(requests).toBe(400);
  // Some of it got past the guard, or nothing behind it would have been tried.
  expect(statuses["200"]).toBeGreaterThan(5);
  expect(memory.most).toBeLessThan(memory.before + 300);
});
