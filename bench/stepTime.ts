/**
 * How long a pass over many rows takes with many workers: by the formula of docs/scale.md, and played through, worker
 * by worker, with steps that do not all take as long and a line that moves one state at a time.
 */

import type { Random } from "../src/tensor/random.ts";

export interface Cluster {
  readonly rows: number;
  readonly batch: number;
  /** Seconds of a step; and by what share of that one step differs from another (a deviation). */
  readonly step: number;
  readonly spread: number;
  /** Bytes of the state, and a second over the line into the place where states are merged. */
  readonly state: number;
  readonly line: number;
  /** Steps between two merges. */
  readonly local: number;
}

/** Seconds of a pass: N/(B·m) · (t + 2·S·m/(w·H)). */
export function passByFormula({ rows, batch, step, state, line, local }: Cluster, workers: number): number {
  const moved = workers === 1 ? 0 : (2 * state * workers) / (line * local);
  return (rows / (batch * workers)) * (step + moved);
}

/** The same, by some rounds of it: all wait for the slowest, and states go up and down one after another. */
export function passPlayed(cluster: Cluster, workers: number, random: Random, rounds = 20): number {
  const { rows, batch, step, spread, state, line, local } = cluster;
  const moving = workers === 1 ? 0 : state / line;
  let time = 0;
  for (let round = 0; round < rounds; round++) {
    const ready = Array.from({ length: workers }, () => {
      const noise = random.normals(local);
      return time + noise.reduce((sum, each) => sum + Math.max(0, step * (1 + spread * each)), 0);
    });
    ready.sort((a, b) => a - b);
    // Up, as they become ready and the line is free; then down again to all of them.
    let free = 0;
    for (const at of ready) free = Math.max(free, at) + moving;
    time = free + workers * moving;
  }
  return (time / rounds) * (rows / (batch * workers * local));
}
