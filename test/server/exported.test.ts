/** The page as files: what is there already is only replaced where it is such a page. */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { WrittenRun } from "../../src/api/written.ts";
import { sealedIn, sealedText } from "../../src/run/folder/sealed.ts";
import { parquet } from "../files/folder.ts";
import { fitRun, folder } from "./support.ts";

/** As it is built: it takes what was bundled. */
const { exportPage } = (await import(
  "../../dist/src/server/exported/exportPage.js" as string
)) as typeof import("../../src/server/exported/exportPage.ts");
const { exportRunPage } = (await import(
  "../../dist/src/server/exported/exportRunPage.js" as string
)) as typeof import("../../src/server/exported/exportRunPage.ts");

const listName = "telltale-page.json";
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
/** A list as it is sealed, with a file beside those of the page. */
async function listed(path: string, name: string, text: string): Promise<void> {
  const { description, files } = sealedIn(await readFile(join(path, listName), "utf8"))!;
  await writeFile(join(path, name), text);
  await writeFile(join(path, listName), sealedText(description, { ...files, [name]: [hashOf(text)] }));
}

test("a page is written, and written again over itself; files of its last version go", async () => {
  const path = join(folder, "page");
  const { files, bytes } = await exportPage(path);
  expect([files > 8, bytes > 10_000_000]).toEqual([true, true]);
  await listed(path, "assets/old-1234.js", "old");
  // What a process has left that was ended while it wrote is no file of somebody's.
  await writeFile(join(path, "assets/new.js.99999999-0123456789ab.part"), "half");
  const before = await readFile(join(path, "index.html"), "utf8");
  await exportPage(path);
  expect((await readdir(join(path, "assets"))).filter((name) => /old|part/.test(name))).toEqual([]);
  expect(Object.keys(sealedIn(await readFile(join(path, listName), "utf8"))!.files).sort()).toEqual(
    (await readdir(path, { recursive: true })).filter((name) => /\./.test(name) && name !== listName).sort(),
  );
  expect(await readdir(join(path, "runtime"))).toContain("ort-wasm-simd-threaded.wasm");
  expect(await readFile(join(path, "index.html"), "utf8")).toBe(before);
  expect((await readFile(join(path, "offline.js"), "utf8")).startsWith("const kept = {")).toBe(true);
});

test("one of a version whose list had no hashes is replaced where all of it is as it was", async () => {
  const path = join(folder, "older");
  await exportPage(path);
  const { files } = sealedIn(await readFile(join(path, listName), "utf8"))!;
  const older = JSON.stringify({ format: "telltale page", files: Object.keys(files) });
  await writeFile(join(path, listName), older);
  await exportPage(path);
  expect(await readFile(join(path, listName), "utf8")).toContain('"seal"');
  await writeFile(join(path, listName), older);
  await writeFile(join(path, "index.html"), "mine");
  await expect(exportPage(path)).rejects.toThrow(/none of such a page/);
  expect(await readFile(join(path, "index.html"), "utf8")).toBe("mine");
});

test("a folder with anything else in it is refused, and stays as it is", async () => {
  const path = join(folder, "own");
  await mkdir(path);
  await writeFile(join(path, "thesis.txt"), "years of work");
  // Whatever a list says by names alone.
  for (const list of [undefined, JSON.stringify({ format: "telltale page", files: ["thesis.txt", "../own.txt"] })]) {
    if (list !== undefined) await writeFile(join(path, listName), list);
    await expect(exportPage(path)).rejects.toThrow(/none of such a page \(.*\), so that it is not replaced; move them/);
    expect(await readdir(path)).toEqual(list === undefined ? ["thesis.txt"] : [listName, "thesis.txt"].sort());
  }
  const page = join(folder, "other");
  await exportPage(page);
  await writeFile(join(page, "notes.txt"), "mine");
  await expect(exportPage(page)).rejects.toThrow(/notes\.txt/);
  expect(await readFile(join(page, "notes.txt"), "utf8")).toBe("mine");
  await rm(join(page, "notes.txt"));
  await writeFile(join(page, "index.html"), "mine");
  await expect(exportPage(page)).rejects.toThrow(/index\.html is not as it was written, and would be lost; move it/);
  expect(await readFile(join(page, "index.html"), "utf8")).toBe("mine");
});

test.each(["runtime", "index.html"])("no page is written through a link: %s", async (name) => {
  const [path, elsewhere] = [join(folder, `linked-${name}`), join(folder, `elsewhere-${name}`)];
  await mkdir(elsewhere);
  await mkdir(path);
  const target = name === "runtime" ? elsewhere : join(elsewhere, name);
  await writeFile(join(elsewhere, name === "runtime" ? "ort-wasm-simd-threaded.wasm" : name), "mine");
  await symlink(target, join(path, name));
  await writeFile(join(path, listName), JSON.stringify({ format: "telltale page", files: [name] }));
  await expect(exportPage(path)).rejects.toThrow(/is a link, and nothing is written through one/);
  expect((await readdir(path)).sort()).toEqual([name, listName].sort());
  for (const each of await readdir(elsewhere)) expect(await readFile(join(elsewhere, each), "utf8")).toBe("mine");
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
