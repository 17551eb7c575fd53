/** Which state of the project a figure belongs to. */

import { execFileSync } from "node:child_process";

/** The commit, as git says; away from a checkout, as the environment does. */
export function commitOf(): string {
  if (process.env.BENCH_COMMIT) return process.env.BENCH_COMMIT;
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}
