import { expect, test } from "vitest";
import { bytesInWords, checkMemory, memoryLimit } from "../../src/tensor/budget.ts";

test("what a person says in megabytes is the limit, and a share of what is free otherwise", () => {
  expect(memoryLimit(64)).toBe(64e6);
  const usual = memoryLimit();
  expect(usual).toBeGreaterThanOrEqual(64e6);
  expect(usual).toBe(memoryLimit());
});

test("what does not fit is refused with what it would need, what may be used, and what to do", () => {
  const need = { where: "rows.npy", what: "an array", cure: "use fewer columns" };
  expect(() => checkMemory({ ...need, bytes: 1e9 }, 1e9)).not.toThrow();
  expect(() => checkMemory({ ...need, bytes: 3.2e9 }, 1e9)).toThrow(
    "rows.npy: an array would need about 3.2 GB of memory, the limit is 1.0 GB; use fewer columns, or raise the limit with --memory (memory, in megabytes)",
  );
  for (const bytes of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    expect(() => checkMemory({ ...need, bytes }, 1e9)).toThrow("need about more than a million PB");
  }
});

test("bytes in words have one digit where that tells something", () => {
  expect([1, 64e6, 999e6, 1.04e9, 18e9, 9.6e12].map(bytesInWords)).toEqual([
    ...["1 MB", "64 MB", "999 MB", "1.0 GB", "18 GB", "9.6 TB"],
  ]);
});
