/** A named pipe, into which nobody writes. */

import { execFileSync } from "node:child_process";

export function makePipe(path: string): string {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  return path;
}
