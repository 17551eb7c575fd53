import { describe, expect, it } from "vitest";
import { add, multiply, square } from "../../src/graph/elementwise.ts";
import { constant, reachable, variable } from "../../src/graph/node.ts";
import { replaced } from "../../src/graph/replaced.ts";
import { filled } from "../../src/tensor/tensor.ts";
import { numbers } from "../support/matrix.ts";

describe("replaced", () => {
  const x = variable("x", filled("float32", [2], 3));
  const y = variable("y", filled("float32", [2], 5));

  it("is the same formula with another node in the place of one", () => {
    const formula = add(square(x), multiply(x, y));
    expect(numbers(formula)).toEqual([24, 24]);
    expect(numbers(replaced(formula, new Map([[x, constant(2)]])))).toEqual([14, 14]);
    expect(numbers(formula)).toEqual([24, 24]);
  });

  it("looks at the formula as it was: what takes a place is not replaced again", () => {
    const next = new Map([
      [x, add(x, y)],
      [y, multiply(x, 2)],
    ]);
    expect(numbers(replaced(add(x, multiply(y, 100)), next))).toEqual([608, 608]);
  });

  it("keeps what it does not touch, so that it is computed once", () => {
    const kept = square(y);
    const formula = add(multiply(kept, 2), x);
    expect(reachable([replaced(formula, new Map([[x, constant(0)]]))])).toContain(kept);
  });
});
