/** A graph in words: what a loss, a gradient or a whole step really computes, line by line. */

import { type Node, reachable } from "./node.ts";
import { show } from "./size.ts";

/**
 * One line per operation, in the order of computing:
 *
 *     a = matmul(x, W) [n,3]
 *     b = relu(a) [n,3]
 *
 * Inputs, variables and single numbers stand under their own names; everything else is lettered.
 */
export function describe(...nodes: readonly Node[]): string {
  const names = new Map<Node, string>();
  const lines: string[] = [];
  for (const node of reachable(nodes)) {
    const own = ownName(node);
    names.set(node, own ?? letters(lines.length));
    if (own !== undefined) continue;
    const operands = [...node.inputs.map((x) => names.get(x)!), ...attributesOf(node)];
    lines.push(`${names.get(node)} = ${node.op}(${operands.join(", ")}) ${show(node.shape)}`);
  }
  return lines.join("\n");
}

function ownName(node: Node): string | undefined {
  if (node.op === "input" || node.op === "variable") return node.attributes.name;
  if (node.op !== "constant") return undefined;
  const { value } = node.attributes;
  return value.data.length === 1 ? String(value.data[0]) : `constant${show(value.shape)}`;
}

function attributesOf({ attributes }: Node): string[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== false && value !== undefined)
    .map(([key, value]) => {
      if (value === true) return key;
      return Array.isArray(value) ? `${key} [${value}]` : `${key} ${value}`;
    });
}

/** a, b, …, z, aa, ab, … */
function letters(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : letters(Math.floor(index / 26) - 1) + letter;
}
