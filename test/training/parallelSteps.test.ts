import { describe, expect, it, test } from "vitest";
import { inMemory } from "../../src/data/data.ts";
import { methods } from "../../src/methods/index.ts";
import { methodOf } from "../../src/methods/methodOf.ts";
import { parallelSteps } from "../../src/training/parallelSteps.ts";
import { type Plan, plan } from "../../src/training/plan.ts";
import { blobs, tiny } from "../support/blobs.ts";

const { rows } = blobs();
const planned = (method: string, options: Record<string, unknown> = {}): Plan =>
  plan(methodOf(method), inMemory(rows), { clusters: 3, options: { ...tiny, ...options } });
const rulesOf = (of: Plan): Record<string, string> =>
  Object.fromEntries(parallelSteps(of, 0).state.map(({ variable, merge }) => [variable.attributes.name, merge]));

describe("steps that several machines can run", () => {
  const refused = ["telltale", "tell", "dec", "idec", "depict"];
  it.each(Object.keys(methods))("%s has them, unless it knows something of every row", (name) => {
    if (refused.includes(name)) {
      expect(() => parallelSteps(planned(name), 0)).toThrow(
        /(keeps|is taught) something (for|about) every row, which only/,
      );
    } else expect(parallelSteps(planned(name), 0).steps.size).toBeGreaterThan(0);
  });

  test("what adds up over rows is summed, what no step moves is taken, all else is averaged", () => {
    expect(rulesOf(planned("kmeans"))).toEqual({
      centers: "take",
      "centers.sums": "sum",
      "centers.counts": "sum",
      "epoch.sizes": "sum",
      "epoch.spread": "take",
    });
    expect(rulesOf(planned("dcn"))).toMatchObject({ centers: "average", "centers.counts": "sum" });
  });

  test("in turns, there is a step for each kind of epoch", () => {
    const { steps, epochs } = parallelSteps(planned("tell", { neighbours: 0, alternate: true, epochs: 3 }), 0);
    expect([...steps.keys()]).toEqual(["centers", "network"]);
    expect(epochs.map(({ kind }) => kind)).toEqual(["centers", "network", "centers"]);
  });
});
