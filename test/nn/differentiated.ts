/** Formulas whose output and gradients PyTorch has recorded, where the gradients are those of L = Σ output·weights. */

import { multiply } from "../../src/graph/elementwise.ts";
import { gradient } from "../../src/graph/gradient.ts";
import { input, type Node, reachable } from "../../src/graph/node.ts";
import { sum } from "../../src/graph/reduce.ts";
import type { Shape } from "../../src/graph/size.ts";
import type { Values } from "../../src/runtime/session.ts";
import { expectRecorded, type Recorded, type RecordedAll, toTensor, toTensors } from "./recorded.ts";

export interface Differentiated {
  readonly inputs: RecordedAll;
  readonly weights: Recorded;
  readonly output: Recorded;
  /** For inputs and for parameters, by name. */
  readonly gradients: RecordedAll;
}

const gradientOf = (name: string): string => `gradient/${name}`;

/** The output and its gradients, as outputs of a program. The formula gets the inputs in the order of the record. */
export function differentiated(record: Differentiated, formula: (...inputs: Node[]) => Node): Record<string, Node> {
  const output = formula(...Object.entries(record.inputs).map(([name, { shape }]) => input(name, batched(shape))));
  const loss = sum(multiply(output, input("weights", batched(record.weights.shape))));
  const named = new Map(
    reachable([loss]).flatMap((node) =>
      node.op === "input" || node.op === "variable" ? [[node.attributes.name, node] as const] : [],
    ),
  );
  const names = Object.keys(record.gradients);
  const gradients = gradient(
    loss,
    names.map((name) => named.get(name)!),
  );
  return { output, ...Object.fromEntries(names.map((name, i) => [gradientOf(name), gradients[i]!])) };
}

export function inputsOf({ inputs, weights }: Differentiated): Values {
  return { ...toTensors(inputs), weights: toTensor(weights) };
}

export function expectDifferentiated(outputs: Values, { output, gradients }: Differentiated): void {
  const expected = Object.entries(gradients).map(([name, recorded]) => [gradientOf(name), recorded] as const);
  expectRecorded(new Map(Object.entries(outputs)), { output, ...Object.fromEntries(expected) });
}

function batched(shape: readonly number[]): Shape {
  return shape.length === 0 ? [] : ["n", ...shape.slice(1)];
}
