import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Batch, type Data, inMemory } from "../../src/data/data.ts";
import { withoutRows } from "../../src/data/withoutRows.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";

/** Rows [n, 2] that are 10 and 100 times their number. */
function counted(n: number): Data {
  const data = Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? 10 : 100) * Math.floor(i / 2));
  return inMemory(tensor("float32", [n, 2], data));
}

/** The same, as a file that is too large for memory gives them. */
function streamed(data: Data): Data {
  const { tensor: _, ...rest } = data;
  return rest;
}

async function gathered(batches: AsyncIterable<Batch> | Iterable<Batch>): Promise<Batch[]> {
  const found: Batch[] = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

const cases = fc.record({
  out: fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }).filter((out) => out.includes(false)),
  size: fc.integer({ min: 1, max: 70 }),
  isStreamed: fc.boolean(),
  isShuffled: fc.boolean(),
});

describe("data without some rows", () => {
  test("has every other row once, with its own number, in batches that are full but for the last", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ out, size, isStreamed, isShuffled }) => {
        const all = isStreamed ? streamed(counted(out.length)) : counted(out.length);
        const data = withoutRows(all, (row) => out[row]!);
        const kept = out.flatMap((isOut, row) => (isOut ? [] : [row]));
        const batches = await gathered(isShuffled ? data.shuffled(size, Random.seeded(3)) : data.inOrder(size));
        const rows = batches.flatMap((batch) => [...batch.rows]);
        expect(data.count).toBe(kept.length);
        expect(isShuffled ? rows.toSorted((a, b) => a - b) : rows).toEqual(kept);
        expect(batches.slice(0, -1).every((batch) => batch.rows.length === size)).toBe(true);
        for (const { rows: some, x } of batches) {
          expect(x.shape).toEqual([some.length, 2]);
          expect([...x.data]).toEqual([...some].flatMap((row) => [10 * row, 100 * row]));
        }
      }),
    );
  });

  test("keeps all rows where they are in memory, so that a device finds each at its own place", () => {
    const all = counted(5);
    expect(withoutRows(all, (row) => row === 2).tensor).toBe(all.tensor);
  });
});
