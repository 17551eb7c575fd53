/** Small matrices for formulas by hand: numbers in, numbers out, in float64. */

import { constant, type Node } from "../../src/graph/node.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { evaluate } from "./oracle.ts";

export const matrix = (...rows: number[][]): Node =>
  constant(fromNumbers("float32", [rows.length, rows[0]!.length], rows.flat()));

/** What a formula without inputs comes to. */
export const numbers = (node: Node): number[] => [...evaluate([node], new Map(), 0)[0]!.data];
