/** What may be said to `fit`: the compiler knows the options of each method, and the loop knows them too. */

import { describe, expect, expectTypeOf, it } from "vitest";
import { type MethodName, methods } from "../../src/methods/index.ts";
import { checkOptionNames, type FitOptions, namedOptions } from "../../src/model/fitOptions.ts";
import { fitByNameOn, typedFit } from "../../src/model/fitting.ts";
import { number, type ValuesOf } from "../../src/options.ts";
import { nodeDevices } from "../../src/runtime/nodeDevices.ts";
import type { Method } from "../../src/training/method.ts";
import { blobs, tiny } from "../support/blobs.ts";

const fit = typedFit(fitByNameOn(nodeDevices));
const { rows } = blobs();
/** Only the types of these calls matter. */
const typed = (_calls: () => void): void => expect(_calls).toBeTypeOf("function");

const own = { reach: number("How far.", 1) } as const;
const mine = { ...methods.kmeans, name: "mine", options: own } as unknown as Method<typeof own>;

describe("the options of a call follow from its method", () => {
  it("without a method they are the default's", () =>
    typed(() => {
      fit(rows, { clusters: 3, lambda: 0.3, taughtBy: "manifold", hidden: [8], epochs: 3 });
      // @ts-expect-error: no method has an option of this name
      fit(rows, { clusters: 3, lamda: 1 });
      // @ts-expect-error: it has one of these names, and no other
      fit(rows, { clusters: 3, taughtBy: "nobody" });
      // @ts-expect-error: that is k-means'
      fit(rows, { clusters: 3, spherical: true });
      // A teacher of one's own says how many.
      fit(rows, { teacher: ["a", "b"], lambda: 0.3 });
    }));

  it("with a method they are that method's and the shared ones", () =>
    typed(() => {
      fit(rows, { clusters: 3, method: "tell", lambda: 0.3 });
      fit(rows, { clusters: 3, method: "kmeans", spherical: true, restarts: 2, keep: "silhouette" });
      // @ts-expect-error: k-means has no λ
      fit(rows, { clusters: 3, method: "kmeans", lambda: 0.3 });
      // @ts-expect-error: a flag is no number
      fit(rows, { clusters: 3, method: "kmeans", spherical: 1 });
      // @ts-expect-error: there is no such method
      fit(rows, { clusters: 3, method: "tel" });
    }));

  it("a method of one's own brings its own table", () =>
    typed(() => {
      fit(rows, { clusters: 3, method: mine, reach: 2, epochs: 1 });
      // @ts-expect-error: its option is a number
      fit(rows, { clusters: 3, method: mine, reach: "far" });
      // @ts-expect-error: and it has no other
      fit(rows, { clusters: 3, method: mine, lambda: 1 });
    }));

  it("a name that is known only at run time has its own way in", () =>
    typed(() => {
      const method: string = "tell";
      // @ts-expect-error: any text may be any method
      fit(rows, { clusters: 3, method });
      fitByNameOn(nodeDevices)(rows, { clusters: 3, method, options: { lambda: 0.3 } });
    }));

  it("every option has the type that its table declares", () => {
    expectTypeOf<FitOptions<"tell">["lambda"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<FitOptions<"tell">["twoStage"]>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<FitOptions<"tell">["hidden"]>().toEqualTypeOf<readonly number[] | undefined>();
    expectTypeOf<FitOptions["start"]>().toEqualTypeOf<"kmeans" | "kmeans++" | "rows" | "random" | undefined>();
    expectTypeOf<ValuesOf<typeof own>["reach"]>().toEqualTypeOf<number>();
  });
});

describe("what is said", () => {
  it("falls apart into settings and options of the method, whatever the method is", () => {
    const labels = [0, 1];
    expect(namedOptions({ clusters: 3, lambda: 0.3, labels, seed: 2, hidden: [8], network: "none" })).toEqual({
      ...{ clusters: 3, labels, seed: 2, network: "none" },
      options: { lambda: 0.3, hidden: [8] },
    });
  });

  it("is the same, once with types and once by name", async () => {
    const options = { clusters: 3, device: "cpu", ...tiny, lambda: 0.2 } as const;
    const { clusters, device, ...rest } = options;
    const [one, other] = [
      await fit(rows, options),
      await fitByNameOn(nodeDevices)(rows, { clusters, device, options: rest }),
    ];
    expect(one.fit.state).toEqual(other.fit.state);
  });

  it("is refused by name where it is an option that stands beside the others", async () => {
    const beside = { clusters: 3, method: "kmeans", epochs: 1 };
    await expect(fitByNameOn(nodeDevices)(rows, beside)).rejects.toThrow(
      "kmeans: epochs belongs into options: say options: { epochs: … }",
    );
    await expect(fitByNameOn(nodeDevices)(rows, { clusters: 3, clusterz: 3 } as never)).rejects.toThrow(
      "there is no option clusterz; did you mean clusters?",
    );
    await expect(fit(rows, { clusters: 3, seed: "one" } as never)).rejects.toThrow(
      'seed must be a whole number, got "one"',
    );
    await expect(fit(rows, { clusters: 3, labell: 1 } as never)).rejects.toThrow("there is no option labell");
  });

  it("is refused where a method's option is called like something else that is said", async () => {
    const twice = { ...mine, options: { seed: number("Which.", 1) } } as unknown as Method;
    await expect(fit(rows, { clusters: 3, method: twice })).rejects.toThrow(
      "mine: an option of a method needs a name of its own, seed is a setting of fit",
    );
    for (const method of Object.values<Method>(methods)) expect(() => checkOptionNames(method)).not.toThrow();
  });

  it("is refused where it is no network", async () => {
    await expect(fit(rows, { clusters: 3, network: new ArrayBuffer(8) as never })).rejects.toThrow("as a Uint8Array");
  });

  it("is refused where nobody knows it, also from plain JavaScript", async () => {
    await expect(fit(rows, { clusters: 3, lamda: 1 } as never)).rejects.toThrow(
      "telltale: there is no option lamda; did you mean lambda?",
    );
    await expect(fit(rows, { clusters: 3, checkpoint: "file" })).rejects.toThrow(
      "telltale: checkpoints are files only in Node",
    );
  });
});

it("every method is listed under its own name", () => {
  for (const [name, method] of Object.entries<Method>(methods)) expect(method.name).toBe(name);
  expectTypeOf<MethodName>().toEqualTypeOf<keyof typeof methods>();
});

describe("how many clusters", () => {
  it("may be left open, or narrowed to a range; what was found, and why, is told", async () => {
    const model = await fit(rows, { clusters: "auto", method: "kmeans", seed: 1 });
    expect([model.plan.clusters, model.fit.choice?.chosen]).toEqual([3, 3]);
    expect(model.fit.choice!.reason).toMatch(/^3 clusters: /);
    const ranged = await fit(rows, { clusters: "4-5", method: "tell", ...tiny });
    expect([4, 5]).toContain(ranged.plan.clusters);
    // The pretraining that has shown them is not made again.
    const pretrainings = ranged.fit.history.filter(({ phase }) => phase === "pretraining");
    expect(pretrainings).toEqual([]);
    for (const each of [model, ranged]) await each.close();
  });

  it("must be something that can be counted", async () => {
    await expect(fit(rows, { method: "kmeans" } as never)).rejects.toThrow(
      'kmeans: clusters must be a whole number from 1, a range such as "3-8", or "auto", got none',
    );
    await expect(fit(rows, { clusters: "8-3", method: "kmeans" })).rejects.toThrow(
      "kmeans: a range of clusters must go from a whole number from 2 to a larger one, got 8-3",
    );
    await expect(fit(rows, { clusters: "many" as never, method: "kmeans" })).rejects.toThrow("got many");
  });
});
