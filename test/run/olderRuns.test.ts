/** A run that an older build wrote is still one. */

import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { shownColumns } from "../../src/explain/columnWords.ts";
import { exportRun } from "../../src/run/export/exportRun.ts";
import { featuresNamed } from "../../src/run/folder/olderRuns.ts";
import { openRunOn, type Run } from "../../src/run/folder/openRun.ts";
import { streamRowsOn } from "../../src/run/stream/streamRows.ts";
import { assignFile } from "../../src/run/use/assignFile.ts";
import { explainFile } from "../../src/run/use/explainFile.ts";
import { reportRun } from "../../src/run/use/reportRun.ts";
import { cpu } from "../../src/runtime/native.ts";
import { folder, write } from "../files/folder.ts";
import { queried } from "../support/queried.ts";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));
const shop = join(fixtures, "shop.csv");
const path = join(folder, "format1");
let run: Run;
/** What the older build found for each row. */
let found: unknown[][];

beforeAll(async () => {
  await cp(join(fixtures, "format1"), path, { recursive: true });
  run = await openRunOn([cpu])(path);
  found = await queried(`select sku, cluster, confidence from '${path}/assignments.parquet'`);
});

function expectSame(placed: unknown[][]): void {
  expect(placed.map(([sku, cluster]) => [sku, Number(cluster)])).toEqual(
    found.map(([sku, cluster]) => [sku, Number(cluster)]),
  );
  for (const [i, [, , confidence]] of placed.entries()) expect(confidence).toBeCloseTo(found[i]![2] as number, 5);
}

describe("a run of format 1", () => {
  it("has the features that its names stand for; dates and booleans pass for numbers", () => {
    expect(run.description.version).toBe(2);
    expect(run.description.source.features).toEqual([
      { kind: "number", column: "price" },
      { kind: "category", column: "city", value: "Oslo" },
      { kind: "category", column: "city", value: "Rome" },
      { kind: "number", column: "open" },
      { kind: "number", column: "day" },
      { kind: "element", column: "embedding", index: 0 },
      { kind: "element", column: "embedding", index: 1 },
    ]);
    expect("columns" in run.description.source).toBe(false);
  });

  it("assigns the rows that it was fitted to as it did then, also with their columns in another order", async () => {
    const out = join(folder, "assigned.csv");
    await assignFile(run, shop, { format: "csv", out });
    expectSame(await queried(`select sku, cluster, confidence from '${out}'`));
    const other = join(folder, "other.csv");
    const order = "embedding, day, open, city, price, sku";
    await queried(`copy (select ${order} from '${shop}') to '${other}'`);
    await assignFile(run, other, { format: "csv", out, force: true });
    expectSame(await queried(`select sku, cluster, confidence from '${out}'`));
  });

  it("explains a row by its columns", async () => {
    const { why, placement } = await explainFile(run, { row: 1, source: shop });
    expect(placement.cluster).toBe(Number(found[1]![1]));
    const names = why!.input.features.map(({ name }) => name);
    const columns = shownColumns(run.description.source.features).map(({ name }) => name);
    expect(names.toSorted()).toEqual(columns.toSorted());
  });

  it("is streamed into", async () => {
    const out = join(folder, "streamed.csv");
    const result = await streamRowsOn([cpu])(path, { source: shop, format: "csv", out, frozen: true });
    expect(result).toMatchObject({ rows: 8, finished: true });
    expectSame(await queried(`select sku, cluster, confidence from '${out}'`));
  });

  it("is reported", async () => {
    const html = await readFile(await reportRun(run), "utf8");
    expect(html).toContain("city=Oslo");
  });

  it("becomes statements that say what is not known of it", async () => {
    const { text } = await exportRun(run, { target: "sql", out: join(folder, "older.sql") });
    expect(text).toContain("Have numbers in open, day: 0 and 1 for a boolean, days since 1970 for a date.");
    expect(text).toContain(`CASE WHEN "city" = 'Oslo' THEN 1 WHEN "city" IS NOT NULL THEN 0 END`);
  });

  it("is said to be damaged where its names are", async () => {
    const description = JSON.parse(await readFile(join(fixtures, "format1/run.json"), "utf8"));
    const { columns: _, ...source } = description.source;
    await write("nameless/run.json", JSON.stringify({ ...description, source }));
    await expect(openRunOn([cpu])(join(folder, "nameless"))).rejects.toThrow(
      "the run is damaged: run.json must have source.columns, a list, got nothing; fit it again, or restore the folder",
    );
  });
});

describe("names that stand for features", () => {
  const named = (names: readonly string[], known = {}): string[] =>
    featuresNamed(names, known).map(({ kind, column }) => `${kind} ${column}`);

  it("are categories of the texts that were encoded, and of no others", () => {
    expect(named(["city=Rome", "a=b"], { texts: ["city"] })).toEqual(["category city", "number a=b"]);
    expect(named(["a=b=c"], { texts: ["a=b"] })).toEqual(["category a=b"]);
    expect(named(["city=Rome", "a"])).toEqual(["category city", "number a"]);
  });

  it("are elements where a vector begins with them, or where someone asked for one", () => {
    expect(named(["v[0]", "v[1]", "x[3]"])).toEqual(["element v", "element v", "number x[3]"]);
    expect(named(["x[3]"], { texts: [], asked: ["x[3]"] })).toEqual(["element x"]);
  });
});
