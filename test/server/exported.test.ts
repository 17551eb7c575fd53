/** The page as files: what is there already is only replaced where it is such a page. */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { WrittenRun } from "../../src/api/written.ts";
import { parquet } from "../files/folder.ts";
import { fitRun, folder } from "./support.ts";

/** As it is built: it takes what was bundled. */
const { exportPage } = (await import(
  "../../dist/src/server/exported/exportPage.js" as string
)) as typeof import("../../src/server/exported/exportPage.ts");
const { exportRunPage } = (await import(
  "../../dist/src/server/exported/exportRunPage.js" as string
)) as typeof import("../../src/server/exported/exportRunPage.ts");

test("a page is written, and written again over itself; files of its last version go", async () => {
  const path = join(folder, "page");
  const { files, bytes } = await exportPage(path);
  expect([files > 8, bytes > 10_000_000]).toEqual([true, true]);
  const list = join(path, "telltale-page.json");
  const { files: names } = JSON.parse(await readFile(list, "utf8")) as { files: string[] };
  await writeFile(join(path, "assets/old-1234.js"), "");
  await writeFile(list, JSON.stringify({ format: "telltale page", files: [...names, "assets/old-1234.js"] }));
  await exportPage(path);
  expect(await readdir(join(path, "assets"))).not.toContain("old-1234.js");
  expect(names).toContain("runtime/ort-wasm-simd-threaded.wasm");
  expect((await readFile(join(path, "offline.js"), "utf8")).startsWith("const kept = {")).toBe(true);
});

test("a folder with anything else in it is refused, and stays as it is", async () => {
  const path = join(folder, "own");
  await mkdir(path);
  await writeFile(join(path, "thesis.txt"), "years of work");
  await expect(exportPage(path)).rejects.toThrow(/none of such a page \(thesis\.txt\), so that it is not replaced/);
  expect(await readdir(path)).toEqual(["thesis.txt"]);
  const page = join(folder, "other");
  await exportPage(page);
  await writeFile(join(page, "notes.txt"), "mine");
  await expect(exportPage(page)).rejects.toThrow(/notes\.txt/);
  expect(await readFile(join(page, "notes.txt"), "utf8")).toBe("mine");
});

test("times are in the file of a run, with a zone or without, and so are days", async () => {
  const zoned = "timestamptz '2024-02-29 10:30:05+00' + to_hours(i)";
  const plain = "timestamp '2024-02-29 10:30:05.25' + to_hours(i)";
  const query = `select i % 2 * 9 + i / 50 as a, i % 2 * 5 as b, ${zoned} as zoned, ${plain} as plain, date '2024-02-29' as day from range(40) t(i)`;
  const [path, out] = [join(folder, "times"), join(folder, "times.html")];
  const rows = { columns: ["a", "b"] };
  await fitRun(await parquet("times.parquet", query), {
    ...{ out: path, method: "kmeans", clusters: 2, device: "cpu", report: false, rows },
  });
  await exportRunPage(path, out, { force: false });
  const [, data] = /id="run">([^<]*)</.exec(await readFile(out, "utf8"))!;
  const { cells } = JSON.parse(gunzipSync(Buffer.from(data!, "base64")).toString()) as WrittenRun;
  const day = (hours: number, seconds: number): number =>
    Date.UTC(2024, 1, 29, hours, 30, 0, 1000 * seconds) / 86_400_000;
  expect(cells.slice(2).map((column) => column.slice(0, 2))).toEqual([
    [day(10, 5), day(11, 5)],
    [day(10, 5.25), day(11, 5.25)],
    [Date.UTC(2024, 1, 29) / 86_400_000, Date.UTC(2024, 1, 29) / 86_400_000],
  ]);
});
