/** Numbers that are shares of one whole: drawn as shares, and learned by their cross-entropy. */

import { describe, expect, it } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { input } from "../../src/graph/node.ts";
import { fullyConnected } from "../../src/nn/autoencoders.ts";
import { inference } from "../../src/nn/layers.ts";
import { meanReconstruction, summedReconstruction } from "../../src/nn/reconstruction.ts";
import { withShares } from "../../src/nn/shares.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { program } from "../../src/runtime/program.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { fromNumbers, toNumbers } from "../../src/tensor/tensor.ts";

const device = await findDevice(devices, "cpu");
const plain = fullyConnected({ columns: 6, latent: 2, hidden: [5] }, Random.seeded(3));
/** A number, three values of a category, a number, a boolean. */
const shares = [
  { first: 1, count: 3, weight: 0.8, shift: [0.5, 0.3, 0.2], factor: [2, 2, 2] },
  { first: 5, count: 1, weight: 1.5, shift: [0.25], factor: [3] },
];
const network = withShares(plain, shares);
const codes = fromNumbers("float32", [2, 2], [0.7, -1.2, 2, 0.4]);
/** Two rows as the network sees them. */
const seen = (t: readonly number[]) => [
  t[0]!,
  ...[0, 1, 2].map((j) => (t[j + 1]! - shares[0]!.shift[j]!) * 2),
  t[4]!,
  (t[5]! - 0.25) * 3,
];
const truth = [
  [0.3, 0, 1, 0, -1, 1],
  [-2, 1, 0, 0, 0.5, 0],
];
const rows = fromNumbers("float32", [2, 6], truth.flatMap(seen));

const [z, x] = [input("z", ["n", 2]), input("x", ["n", 6])];
const session = await Session.open(
  program({
    outputs: {
      logits: plain.decode(z, inference),
      drawn: network.decode(z, inference),
      mean: meanReconstruction(network, z, x, inference),
      summed: summedReconstruction(network, z, x, inference),
      slope: gradient(summedReconstruction(network, z, x, inference), [z])[0]!,
      squared: meanReconstruction(plain, z, x, inference),
    },
  }),
  device,
);
const values = await session.run({ z: codes, x: rows });
const [logits, drawn] = [toNumbers(values.logits!), toNumbers(values.drawn!)];

describe("a network that draws shares", () => {
  it("draws those of a category so that they sum to 1, and a boolean's between 0 and 1", () => {
    for (const i of [0, 1]) {
      const p = [1, 2, 3].map((c) => drawn[6 * i + c]! / 2 + shares[0]!.shift[c - 1]!);
      expect(p[0]! + p[1]! + p[2]!).toBeCloseTo(1, 5);
      const e = [1, 2, 3].map((c) => Math.exp(logits[6 * i + c]!));
      expect(p[0]).toBeCloseTo(e[0]! / (e[0]! + e[1]! + e[2]!), 5);
      expect(drawn[6 * i + 5]! / 3 + 0.25).toBeCloseTo(1 / (1 + Math.exp(-logits[6 * i + 5]!)), 5);
      // Numbers stay what they are.
      expect([drawn[6 * i], drawn[6 * i + 4]]).toEqual([logits[6 * i], logits[6 * i + 4]]);
    }
  });

  it("loses the squared error of numbers, and of shares what was unexpected of the value that is there", () => {
    const losses = truth.map((t, i) => {
      const y = logits.slice(6 * i, 6 * i + 6);
      const logSum = Math.log(Math.exp(y[1]!) + Math.exp(y[2]!) + Math.exp(y[3]!));
      const value = [1, 2, 3].find((c) => t[c] === 1)!;
      const surprise = Math.log(1 + Math.exp(t[5] === 1 ? -y[5]! : y[5]!));
      return (y[0]! - t[0]!) ** 2 + (y[4]! - t[4]!) ** 2 + 0.8 * (logSum - y[value]!) + 1.5 * surprise;
    });
    const wanted = (losses[0]! + losses[1]!) / 2;
    expect(toNumbers(values.summed!)[0]).toBeCloseTo(wanted, 4);
    // Four columns, not six numbers.
    expect(toNumbers(values.mean!)[0]).toBeCloseTo(wanted / 4, 5);
    expect(toNumbers(values.slope!).every(Number.isFinite)).toBe(true);
  });

  it("without shares is as it was: the mean of squares", () => {
    const squares = logits.map((y, i) => (y - rows.data[i]!) ** 2);
    expect(toNumbers(values.squared!)[0]).toBeCloseTo(squares.reduce((sum, each) => sum + each, 0) / 12, 4);
  });
});
