/** A program: what is fed at every run, what is kept between runs, what comes out. */

import { type Input, type Node, reachable, type Update, type Variable } from "../graph/node.ts";
import { sameShape, show } from "../graph/size.ts";

export interface Program {
  readonly inputs: readonly Input[];
  /** The state, in the order in which the formulas meet it. */
  readonly variables: readonly Variable[];
  readonly outputs: Readonly<Record<string, Node>>;
  readonly updates: readonly Update[];
}

/**
 * Collects the inputs and variables that the outputs and updates need, and checks that the names can stand side by
 * side.
 */
export function program(formulas: { outputs: Record<string, Node>; updates?: readonly Update[] }): Program {
  const { outputs, updates = [] } = formulas;
  const needed = reachable([...Object.values(outputs), ...updates.flat()]);
  const inputs = needed.filter((node) => node.op === "input");
  const variables = needed.filter((node) => node.op === "variable");

  const names = new Set<string>();
  const claim = (name: string): void => {
    if (!/^[\w./ ()-]+$/.test(name)) {
      throw new TypeError(
        `program: a name may have letters, digits, spaces and _ . / ( ) - in it, got ${JSON.stringify(name)}`,
      );
    }
    if (names.has(name)) throw new TypeError(`program: two different things are named ${name}`);
    names.add(name);
  };
  for (const { attributes } of [...inputs, ...variables]) claim(attributes.name);
  for (const name of Object.keys(outputs)) claim(name);

  const updated = new Set<Variable>();
  for (const [target, next] of updates) {
    const { name } = target.attributes;
    if (updated.has(target)) throw new TypeError(`program: ${name} is updated twice`);
    updated.add(target);
    if (!sameShape(target.shape, next.shape) || target.dtype !== next.dtype) {
      throw new TypeError(
        `program: ${name} is ${target.dtype} ${show(target.shape)} and cannot become ${next.dtype} ${show(next.shape)}`,
      );
    }
  }
  return { inputs, variables, outputs, updates };
}
