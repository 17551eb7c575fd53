/** What a process and those it has started take of the machine's memory. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** In megabytes, the most that each of them has held so far, together. */
export function peakOf(process: number): number {
  return tree(process).reduce((sum, each) => sum + fieldOf(each, "VmHWM"), 0);
}

/** In megabytes, what they hold now. */
export function heldBy(process: number): number {
  return tree(process).reduce((sum, each) => sum + fieldOf(each, "VmRSS"), 0);
}

/** Counts from now on. */
export function forgetPeak(process: number): void {
  try {
    writeFileSync(`/proc/${process}/clear_refs`, "5");
  } catch {
    // Elsewhere than on Linux there is no such thing, and nothing to count.
  }
}

function fieldOf(process: number, name: string): number {
  try {
    const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${process}/status`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function tree(process: number): number[] {
  return [process, ...childrenOf(process).flatMap(tree)];
}

function childrenOf(process: number): number[] {
  try {
    return readdirSync(`/proc/${process}/task`).flatMap((thread) => {
      const text = readFileSync(`/proc/${process}/task/${thread}/children`, "utf8");
      return text.trim() === "" ? [] : text.trim().split(" ").map(Number);
    });
  } catch {
    return [];
  }
}

/** Ends a process and all that it has started. */
export function endTree(process: number): void {
  for (const each of tree(process).reverse()) {
    try {
      globalThis.process.kill(each, "SIGKILL");
    } catch {
      // It was faster.
    }
  }
}
