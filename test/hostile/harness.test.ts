/** What the harness must see for its zeros to mean something. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Input, Place } from "../../bench/hostile/input.ts";
import { minimised } from "../../bench/hostile/minimise.ts";
import { faultsIn, type Outcome } from "../../bench/hostile/outcome.ts";
import { snapshot, touched } from "../../bench/hostile/touched.ts";
import { halfIn } from "../../bench/hostile/whole.ts";

const input: Input = { what: "", samples: [], files: {}, words: ["assign"], writes: [] };
const good: Outcome = {
  code: 1,
  out: "",
  err: "telltale assign: a.csv: is empty\n",
  peak: 300,
  seconds: 1,
  touched: [],
};

test.each<[string, Partial<Outcome>, string[]]>([
  ["a refusal in one line is no fault", {}, []],
  ["a signal", { code: null, signal: "SIGSEGV" }, ["signals"]],
  ["a stack", { err: "Error: x\n    at f (file:///a/b.js:1:2)\n" }, ["stack traces"]],
  ["what JavaScript says by itself", { err: "telltale report: part.map is not a function\n" }, ["stack traces"]],
  ["a hang", { isHanging: true }, ["hangs over 30 s"]],
  ["1.5 GB beyond what was allowed", { peak: 2600 }, ["over the memory budget by 1.5 GB"]],
  ["somebody's file", { touched: ["outside/canary.txt"] }, ["files touched outside the output"]],
  ["half an output", { code: 0, half: "assign: the last line has no end" }, ["half outputs with exit 0"]],
])("the harness sees: %s", (_, difference, kinds) => {
  expect(faultsIn(input, { ...good, ...difference }).map(({ kind }) => kind)).toEqual(kinds);
});

test("the harness sees files that are changed, made, removed, replaced by themselves, and reached through a link", async () => {
  const root = await mkdtemp(join(tmpdir(), "telltale-seen-"));
  const place: Place = { root, work: join(root, "work"), home: join(root, "home"), temporary: join(root, "temporary") };
  try {
    for (const folder of [place.work, join(root, "outside")]) await mkdir(folder);
    for (const name of ["work/own", "work/old", "outside/gone", "outside/same", "outside/linked"])
      await writeFile(join(root, name), name);
    await symlink(join(root, "outside/linked"), join(place.work, "link"));
    const before = await snapshot(root);
    await new Promise((later) => setTimeout(later, 20));
    await writeFile(join(place.work, "out.csv"), "a");
    await writeFile(join(place.work, "own"), "other");
    await writeFile(join(place.work, "old"), "other");
    await rm(join(root, "outside/gone"));
    await writeFile(join(root, "outside/same"), "outside/same");
    await writeFile(join(place.work, "link"), "through");
    const writes = [{ path: "out.csv" }, { path: "own", replaces: true }, { path: "old" }];
    const seen = touched(before, await snapshot(root), place, writes);
    expect(seen.sort()).toEqual(["outside/gone", "outside/linked", "outside/same", "work/old"]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test("the harness sees a table that ends in the middle, and a file that was promised and is not there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-half-"));
  const file = join(folder, "out.csv");
  const half = (): Promise<string | undefined> =>
    halfIn({ words: ["assign", "run", "rows.csv", "--out", file], out: '{"rows":2}\n' });
  try {
    expect(await half()).toContain("no such file");
    await writeFile(file, 'id,cluster\n"a\nb",1\nc,2\n');
    expect(await half()).toBeUndefined();
    await writeFile(file, "id,cluster\na,1\n");
    expect(await half()).toContain("2 rows were promised, the file has 1");
    await writeFile(file, "id,cluster\na,1\nb,");
    expect(await half()).toContain("no end");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a case becomes smaller as long as its fault stays", async () => {
  const large: Input = { ...input, files: { "a.csv": Buffer.from(`${"x".repeat(300)}!${"y".repeat(200)}`) } };
  const small = await minimised(large, async ({ files }) => Buffer.from(files["a.csv"] as Uint8Array).includes("!"));
  expect(Buffer.from(small.files["a.csv"] as Uint8Array).toString()).toBe("!");
});
