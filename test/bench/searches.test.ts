/** `bench rates` and `bench lambdas` keep what they try, go on from it, and decide by it. */

import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { foundIn, lambdas, shown, type Training } from "../../bench/lambdas.ts";
import { itemsOf } from "../../bench/papers/index.ts";
import { isPlain, type PlainTable } from "../../bench/papers/paper.ts";
import { bestRate, rates } from "../../bench/rates.ts";
import { encodeNpyGz } from "../../src/doors/engine.ts";
import { tensor } from "../../src/doors/inside.ts";
import { blobs } from "../support/blobs.ts";

const exponents = [-4, -3, -2, -1, 0, 1, 2, 3];

/** A search of one seed: k-means on the codes, then each λ, better and better up to the best. */
function searched(seed: number, best: number, kmeans: number): Training[] {
  const of = { search: "usps", seed };
  return [
    { ...of, method: "aekm", searched: 0.5, scored: kmeans },
    ...exponents.map((exponent) => {
      const far = Math.abs(exponent - best) / 100;
      return { ...of, method: "dkm-p", exponent, searched: 0.8 - far, scored: 0.7 + seed / 100 - far };
    }),
  ];
}

describe("the search of λ", () => {
  test("takes the one that is best on the tenth, over the seeds that have all, and tests it against k-means", () => {
    const lines = [...searched(1, -1, 0.6), ...searched(2, -1, 0.62), ...searched(3, 2, 0.9).slice(0, 5)];
    const found = foundIn(lines, "usps", "dkm-p")!;
    expect(found).toMatchObject({ exponent: -1, scored: [0.71, 0.72], kmeans: [0.6, 0.62] });
    // d = 0.11 and 0.10: t = 0.105 / (0.00707 / √2) = 21.
    expect(found.test!.t).toBeCloseTo(21, 6);
    expect(shown(found.scored)).toBe("71.5 ± 0.7");
    expect(foundIn(searched(1, 0, 0.6), "usps", "dkm-p")!.test).toBeUndefined();
    expect(foundIn(lines, "mnist", "dkm-p")).toBeUndefined();
    expect(foundIn(lines, "usps", "dkm-a")).toBeUndefined();
  });

  test("stands in the papers' table, once it is recorded", () => {
    const table = itemsOf("dkm/4.3")[0]!.table as PlainTable;
    expect(isPlain(table)).toBe(true);
    const lines = [...searched(1, -1, 0.6), ...searched(2, -1, 0.62)];
    const recorded = { lines: () => [], measured: <T>(name: string) => (name === "lambdas" ? lines : undefined) as T };
    expect(table.ours(recorded)).toEqual([
      ["ours, USPS", "dkm-p", "10^-1", "2", "71.5 ± 0.7", "61.0 ± 1.4", "21.00", "0.030"],
    ]);
  });
});

test("the rate that is kept lowers the loss and leaves no cluster almost empty", () => {
  const tried = [
    { rate: 1e-3, losses: [2, 1], smallest: 0.6 },
    { rate: 1e-2, losses: [2, 0.5], smallest: 0.25 },
    { rate: 0.1, losses: [2, 0.1], smallest: 0.1 },
    { rate: 1, losses: [2, 3], smallest: 0.9 },
    { rate: 10 },
  ] as const;
  expect(bestRate(tried)).toBe(1e-2);
  expect(bestRate(tried.slice(2))).toBeUndefined();
});

describe("what has been tried is a line of its file", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "telltale-test-"));
    await mkdir(join(folder, "har"));
    const { rows, labels: truth } = blobs();
    await writeFile(join(folder, "har", "features.npy.gz"), await encodeNpyGz(rows));
    const labels = tensor("int32", [truth.length], truth);
    await writeFile(join(folder, "har", "labels.npy.gz"), await encodeNpyGz(labels));
    vi.spyOn(console, "log").mockImplementation(() => {});
  });
  const linesOf = async (file: string): Promise<Record<string, unknown>[]> =>
    (await readFile(file, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const short = ["--set", "har", "--pretraining", "1", "--epochs", "1"];

  test.each([
    ["rates", rates, [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1], "rate"],
    ["lambdas", lambdas, [undefined, ...exponents], "exponent"],
  ] as const)("bench %s: with seed, commit and command, and none twice", async (name, bench, values, by) => {
    const out = join(folder, `${name}.jsonl`);
    const said = ["--data", folder, "--out", out, ...short, ...(name === "lambdas" ? ["--seeds", "1"] : [])];
    await bench(said);
    const lines = await linesOf(out);
    expect(lines.map((line) => line[by])).toEqual(values);
    for (const line of lines) {
      expect(line).toMatchObject({
        seed: 1,
        device: "cpu",
        command: expect.stringContaining(`bench ${name} --set har`),
      });
      expect(line.commit).toMatch(/^([0-9a-f]{7,}|unknown)$/);
    }
    // One that is gone is made again, alone, and with the same figures.
    await writeFile(
      out,
      lines
        .slice(0, -1)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
    await bench(said);
    const again = await linesOf(out);
    const figures = ({ seconds: _, ...line }: Record<string, unknown>) => line;
    expect(again.map(figures)).toEqual(lines.map(figures));
    await bench(said);
    expect(await linesOf(out)).toEqual(again);
  });
});
