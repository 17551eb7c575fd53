/** What the accuracy benchmark runs: groups of methods on a data set, each with several seeds. */

import type { Profile } from "../src/node.ts";

export interface Cell {
  readonly group: string;
  readonly data: string;
  readonly method: string;
  readonly profile: Profile;
  readonly options: Readonly<Record<string, unknown>>;
  /** What distinguishes it from the profile, in a word. */
  readonly variant?: string;
  readonly seed: number;
}

export function nameOf({ data, method, profile, variant, seed }: Cell): string {
  return [data, method, profile, ...(variant ? [variant] : []), seed].join("/");
}

type Row = readonly [method: string, profile: Profile, options?: Record<string, unknown>, variant?: string];

const dense = { network: "fullyConnected" };

/** Seeds outside, methods inside: methods that share a pretraining follow each other. */
function group(name: string, data: string, seeds: number, rows: readonly Row[]): Cell[] {
  return Array.from({ length: seeds }, (_, i) => i + 1).flatMap((seed) =>
    rows.map(([method, profile, options = {}, variant]) => ({
      group: name,
      data,
      method,
      profile,
      options,
      ...(variant && { variant }),
      seed,
    })),
  );
}

export const cells: readonly Cell[] = [
  ...group("usps", "usps", 10, [
    ["aekm", "paper", dense],
    ["dkm-p", "paper"],
    ["dkm-a", "paper"],
    ["aekm", "practical"],
    ["dkm-p", "practical"],
    ["dkm-a", "practical"],
  ]),
  ...group("mnist-conv", "mnist", 8, [["tell", "practical"]]),
];
