import { expect, it } from "vitest";
import { paceOf } from "../../src/numerics/pace.ts";
import { spanningTree } from "../../src/numerics/spanningTree.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, tensor } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";

const pace = paceOf(undefined);

it("by hand: a line of four, where the last is in a sparse place", async () => {
  const branches = await spanningTree(fromNumbers("float32", [4, 1], [0, 1, 3, 4]), Float64Array.of(1, 1, 1, 5), pace);
  expect(branches.map(({ length }) => length)).toEqual([1, 2, 5]);
});

it("is as short as the tree that takes the shortest of all pairs again and again", async () => {
  const n = 60;
  const random = Random.seeded(2);
  const x = random.normals(2 * n);
  const core = Float64Array.from(random.uniforms(n, 0, 0.5));
  const reach = (i: number, j: number): number =>
    Math.max(core[i]!, core[j]!, Math.hypot(x[2 * i]! - x[2 * j]!, x[2 * i + 1]! - x[2 * j + 1]!));
  const pairs = Array.from({ length: n * n }, (_, at) => [Math.floor(at / n), at % n] as const).filter(
    ([i, j]) => i < j,
  );
  const group = Array.from({ length: n }, (_, i) => i);
  const lengths: number[] = [];
  for (const [i, j] of pairs.sort(([a, b], [c, d]) => reach(a, b) - reach(c, d))) {
    const [from, to] = [group[i]!, group[j]!];
    if (from === to) continue;
    lengths.push(reach(i, j));
    group.forEach((g, row) => {
      if (g === from) group[row] = to;
    });
  }
  const branches = await spanningTree(tensor("float32", [n, 2], x), core, pace);
  expectClose(
    branches.map(({ length }) => length),
    lengths,
    1e-12,
  );
});
