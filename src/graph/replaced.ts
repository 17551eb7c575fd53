/** A formula with other nodes in the place of some. */

import { mapInputs, type Node, reachable } from "./node.ts";

/**
 * The same formula, with each node that the map knows replaced by what it gives: with the updates of a step, what the
 * formula will be after it.
 */
export function replaced(formula: Node, by: ReadonlyMap<Node, Node>): Node {
  const made = new Map<Node, Node>();
  for (const node of reachable([formula])) {
    const known = by.get(node);
    const inputs = mapInputs(node, (input) => made.get(input)!);
    const isSame = node.inputs.every((input, i) => input === inputs[i]);
    made.set(node, known ?? (isSame ? node : ({ ...node, inputs } as Node)));
  }
  return made.get(formula)!;
}
