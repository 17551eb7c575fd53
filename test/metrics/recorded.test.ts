import { describe, expect, test } from "vitest";
import { innerMetrics, metrics } from "../../src/metrics/index.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";
import { byRule, recorded } from "./recorded.ts";

const tolerance = 1e-9;

describe.each(Object.entries(metrics))("%s is what scikit-learn computes", (name, { score }) => {
  const expected = (scores: Readonly<Record<string, number>>): number => scores[name]!;

  test.each(recorded.labelings)("$name", ({ truth, clusters, scores }) => {
    expectClose([score(truth, clusters)], [expected(scores)], tolerance);
  });

  test.each(recorded.large)("$n rows in $groups groups", (rule) => {
    const { truth, clusters } = byRule(rule);
    expectClose([score(truth, clusters)], [expected(rule.scores)], tolerance);
  });
});

describe.each(Object.entries(innerMetrics))("%s is what scikit-learn computes", (name, { score }) => {
  test.each(recorded.rows)("$name", ({ shape, data, clusters, scores }) => {
    const expected = (scores as Readonly<Record<string, number>>)[name]!;
    expectClose([score(fromNumbers("float32", shape, data), clusters)], [expected], tolerance);
  });
});

test("there is a value of every metric", () => {
  for (const { scores } of [...recorded.labelings, ...recorded.large]) {
    expect(Object.keys(scores)).toEqual(Object.keys(metrics));
  }
  for (const { scores } of recorded.rows) expect(Object.keys(scores)).toEqual(Object.keys(innerMetrics));
});
