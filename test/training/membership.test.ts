/** Clusters of several centers: by hand, and the same in the formulas. */

import { describe, expect, it } from "vitest";
import { input } from "../../src/graph/node.ts";
import { cpu } from "../../src/runtime/native.ts";
import { program } from "../../src/runtime/program.ts";
import { Sessions } from "../../src/runtime/sessions.ts";
import { State } from "../../src/runtime/state.ts";
import { fromNumbers, toNumbers } from "../../src/tensor/tensor.ts";
import {
  areMembers,
  clusterCount,
  leadingCenter,
  leastDistances,
  type Members,
  summedProbabilities,
} from "../../src/training/membership.ts";

const members: Members = [[3], [1, 4, 0], [2]];
const d = fromNumbers("float32", [2, 5], [5, 2, 7, 4, 3, 1, 2, 8, 9, 6]);
const p = fromNumbers("float32", [2, 5], [0.5, 0.125, 0.125, 0.125, 0.125, 0, 0.25, 0.25, 0.25, 0.25]);

async function computed(of: "d" | "p", groups: Members | undefined): Promise<number[]> {
  const x = input("x", ["n", 5]);
  const device = await cpu.find();
  const build = () =>
    program({ outputs: { y: of === "d" ? leastDistances(x, groups) : summedProbabilities(x, groups) } });
  const sessions = new Sessions(undefined, new State(device));
  const { y } = await (await sessions.of(build)).run({ x: of === "d" ? d : p });
  await sessions.close();
  return toNumbers(y!);
}

describe("a merged cluster", () => {
  it("is as far as the nearest of its centers: Dc = min dⱼ over j in Gc", async () => {
    expect(await computed("d", members)).toEqual([4, 2, 7, 9, 1, 8]);
  });

  it("is as probable as all of them together: Pc = Σ pⱼ over j in Gc", async () => {
    expect(await computed("p", members)).toEqual([0.125, 0.75, 0.125, 0.25, 0.5, 0.25]);
  });

  it("may be the only one, and none need be merged", async () => {
    expect(await computed("d", [[2, 0, 1, 3, 4]])).toEqual([2, 1]);
    expect(await computed("d", undefined)).toEqual(toNumbers(d));
    expect(await computed("d", [[0], [1], [2], [3], [4]])).toEqual(toNumbers(d));
  });

  it("is shown by the center that leads", () => {
    expect(leadingCenter({ clusters: 5, members }, 1)).toBe(1);
    expect(leadingCenter({ clusters: 5 }, 3)).toBe(3);
    expect([clusterCount({ clusters: 5, members }), clusterCount({ clusters: 5 })]).toEqual([3, 5]);
  });

  it.each([
    [[[0], [1]]],
    [
      [
        [0, 1],
        [1, 2],
      ],
    ],
    [[[0, 1, 2], []]],
    [[[0, 1, 5]]],
    [[]],
  ] as const)("has every center once, and is refused otherwise: %j", (wrong) => {
    expect(areMembers({ clusters: 3, members: wrong as unknown as Members })).toBe(false);
    expect(areMembers({ clusters: 3, members: [[2], [0, 1]] })).toBe(true);
  });
});
