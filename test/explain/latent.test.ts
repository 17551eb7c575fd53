import { describe, expect, it } from "vitest";
import { latentParts, partNames } from "../../src/explain/rows/latentParts.ts";
import { constant, type Node } from "../../src/graph/node.ts";
import { sum } from "../../src/graph/reduce.ts";
import {
  cityBlockDistances,
  cityBlockParts,
  correlationDistances,
  correlationParts,
  cosineDistances,
  cosineParts,
  inProportion,
  productParts,
  squaredDistances,
  squaredParts,
} from "../../src/nn/distances.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { blobs } from "../support/blobs.ts";
import { expectClose } from "../support/close.ts";
import { matrix, numbers } from "../support/matrix.ts";
import { changed, fitted } from "./fitted.ts";

describe("by hand,", () => {
  const z = matrix([3, 4, 0], [1, 2, 3]);
  const centers = matrix([0, 0, 2], [4, 3, 0], [-1, -2, -3]);

  it("squaredParts are squared differences", () => {
    expect(numbers(squaredParts(matrix([1, 2]), matrix([0, 4], [1, 1])))).toEqual([1, 4, 0, 1]);
  });

  it("productParts are Wᵢzᵢ", () => {
    expect(numbers(productParts(matrix([1, 2]), matrix([3, 4], [5, 6])))).toEqual([3, 8, 5, 12]);
  });

  it.each([
    ["squared", squaredParts, squaredDistances],
    ["cosine", cosineParts, cosineDistances],
    ["correlation", correlationParts, correlationDistances],
    ["cityBlock", cityBlockParts, cityBlockDistances],
  ])("%sParts sum to the distance", (_name, parts, distances) => {
    expectClose(numbers(sum(parts(z, centers), { axes: [2] })), numbers(distances(z, centers)), 1e-12);
  });

  it("inProportion gives parts of a distance that follows another, and equal ones where there is nothing to go by", () => {
    const squared = constant(tensor("float32", [1, 2, 2], Float32Array.of(9, 16, 0, 0)));
    expectClose(numbers(inProportion(squared, matrix([5, 0.5]))), [1.8, 3.2, 0.25, 0.25], 1e-12);
  });
});

describe("a trained layer", () => {
  const { rows } = blobs();
  const one = tensor("float32", [1, 4], rows.data.slice(0, 4));
  const row = (t: Tensor, j: number) => [...(t.data as Float32Array).subarray(j * t.shape[1]!, (j + 1) * t.shape[1]!)];

  it("of TELL: each part is (W_a − W_b)ᵢhᵢ", async () => {
    const model = await fitted(rows, { method: "tell" });
    const W = (await model.weights()).get("W")!;
    const { parts, codes } = await latentParts(model, one, { own: 0, other: 2 });
    const expected = row(W, 0).map((w, i) => (w - row(W, 2)[i]!) * codes.data[i]!);
    expectClose(parts[0]!, expected, 1e-6);
    await model.close();
  });

  it("of k-meansNet: a free bias is the last part, by name", async () => {
    const model = await fitted(rows, { method: "kmeansnet", bias: "free", alpha: 0.5 });
    const weights = await model.weights();
    const { parts } = await latentParts(model, one, { own: 0, other: 2 });
    expect(partNames(model)).toEqual(["z[0]", "z[1]", "z[2]", "bias"]);
    const [a, , b] = weights.get("b")!.data as Float32Array;
    expect(parts[0]![3]).toBeCloseTo((a! - b!) / 0.5, 5);
    await model.close();
  });
});

it("parts that do not add up are refused", async () => {
  const model = await fitted(blobs().rows, { method: "kmeans" });
  const { formulas } = model;
  const wrong = (z: Node): Node => squaredParts(z, matrix([0, 0, 0, 0], [1, 2, 3, 4], [0, 0, 0, 0]));
  const broken = changed(model, { formulas: { ...formulas, clustering: { ...formulas.clustering, parts: wrong } } });
  await expect(latentParts(broken, blobs(3).rows, { own: 0, other: 1 })).rejects.toThrow(
    /explain: the parts of a margin must add up to it/,
  );
  await expect(latentParts(model, blobs(3).rows, { own: 0, other: 3 })).rejects.toThrow("from 0 to 2, got 3");
  await expect(latentParts(model, blobs(3).rows, { own: 1, other: 1 })).rejects.toThrow("got 1 twice");
  await model.close();
});
