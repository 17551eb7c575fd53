/** What is answered about two runs side by side. */

import type { SomeHandlers } from "../../api/handlers.ts";
import { compareRuns, type PlacedInBoth, placedInBoth, type Run } from "../../doors/inside.ts";
import { Refused } from "../refused.ts";
import type { RunShelf } from "../runShelf.ts";

export function compareAnswers(shelf: RunShelf): SomeHandlers<"compare" | "comparedRows"> {
  /** The last pair that was looked at, as people had changed both: a comparison may ask both models about all rows. */
  let last: { readonly pair: string; readonly both: Promise<PlacedInBoth> } | undefined;
  const both = async (a: string, b: string) => {
    if (a === b) throw new Refused(400, "two different runs are compared");
    const runs = { a: (await shelf.get(a)).run, b: (await shelf.get(b)).run };
    const pair = JSON.stringify([a, positionOf(runs.a), b, positionOf(runs.b)]);
    if (last?.pair !== pair) {
      const made = placedInBoth(runs.a, runs.b, {});
      last = { pair, both: made };
      made.catch(() => {
        if (last?.both === made) last = undefined;
      });
    }
    return { runs, placed: await last.both };
  };
  return {
    async compare({ query: { a, b } }) {
      const { runs, placed } = await both(a, b);
      const placeOf = await (await shelf.get(a)).placeOf();
      const { matched, unmatched, movedRows, ...rest } = await compareRuns(runs.a, runs.b, {}, placed);
      return {
        ...{ a, b, ...rest },
        matched: matched.map((pair) => ({ ...pair })),
        unmatched: { a: [...unmatched.a], b: [...unmatched.b] },
        flows: flowsOf(placed),
        movedRows: movedRows.map((moved) => ({ ...moved, row: placeOf(moved.row) })),
      };
    },
    async comparedRows({ query: { a, b } }) {
      const { placed } = await both(a, b);
      const numbers = new Uint32Array(placed.a.length + placed.b.length);
      numbers.set(placed.a);
      numbers.set(placed.b, placed.a.length);
      return { numbers };
    },
  };
}

/** How far people have changed a run; nothing where nobody has. */
const positionOf = ({ curated }: Run): string | undefined => curated?.description.log.sha256;

/** How many rows go from each cluster to each, the most first. */
function flowsOf({ a, b }: PlacedInBoth) {
  const counts = new Map<string, { a: number; b: number; rows: number }>();
  for (let row = 0; row < a.length; row++) {
    const key = `${a[row]} ${b[row]}`;
    const flow = counts.get(key) ?? { a: a[row]!, b: b[row]!, rows: 0 };
    flow.rows++;
    counts.set(key, flow);
  }
  return [...counts.values()].sort((one, other) => other.rows - one.rows || one.a - other.a || one.b - other.b);
}
