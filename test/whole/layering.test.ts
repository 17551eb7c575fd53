import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let copy: string;

/** A copy of the sources, so that bad imports can be planted without anybody else seeing them. */
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "telltale-layering-"));
  for (const file of ["src", "tsconfig.json", "tsconfig.library.json", "package.json", ".dependency-cruiser.mjs"]) {
    await cp(join(root, file), join(copy, file), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});

afterAll(() => rm(copy, { recursive: true, force: true }));

function cruise(): { status: number | null; said: string } {
  const tool = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, "--config", ".dependency-cruiser.mjs", "src"], {
    cwd: copy,
    encoding: "utf8",
  });
  return { status, said: stdout + stderr };
}

const planted: [rule: string, file: string, content: string][] = [
  ["tensor may import nothing else", "tensor/planted.ts", 'export { reachable } from "../graph/node.ts";'],
  ["text may import nothing else", "text/planted.ts", 'export type { Tensor } from "../tensor/tensor.ts";'],
  ["graph may import tensor", "graph/planted.ts", 'export type { Session } from "../runtime/session.ts";'],
  ["numerics may import tensor", "numerics/planted.ts", 'export type { Node } from "../graph/node.ts";'],
  ["formats may import tensor", "formats/planted.ts", 'export type { Data } from "../data/data.ts";'],
  ["run/folder may import", "run/folder/planted.ts", 'export { streamRowsOn } from "../stream/streamRows.ts";'],
  ["methods may import", "methods/planted.ts", 'export { x } from "../cli/planted.ts";'],
  [
    "cli may import doors/(inside|use|learn).ts",
    "cli/planted.ts",
    'export { Random as x } from "../tensor/random.ts";',
  ],
  ["no cycles, type imports included", "nn/one.ts", 'import type { B } from "./two.ts";\nexport type A = B;'],
  ["every folder of src/ has a line in the table", "utils/planted.ts", 'export { cpus } from "node:os";'],
  ["Node's modules only at the edges", "training/planted.ts", 'export { readFile } from "node:fs/promises";'],
  [
    "what runs in a browser does not import what needs Node",
    "runtime/planted.ts",
    'export { cpu } from "./native.ts";',
  ],
  ["report/browser may import", "report/browser/planted.ts", 'export { html } from "../parts/markup.ts";'],
  [
    "what runs in a page comes as text, from inlined.ts",
    "report/parts/planted.ts",
    'export { Selection } from "../browser/map/selection.ts";',
  ],
  ["src imports nothing beside it", "map/planted.ts", 'export { x } from "../../bench/outside.ts";'],
  ["the product imports declared packages only", "data/planted.ts", 'export { test } from "vitest";'],
];

/** What the planted ones need to be found: the other half of the cycle, and something outside src/. */
const accomplices: [file: string, content: string][] = [
  ["nn/two.ts", 'import type { A } from "./one.ts";\nexport type B = A;'],
  ["../bench/outside.ts", "export const x = 1;"],
];

test("the sources as they are have no bad import, and were really read", () => {
  const { status, said } = cruise();
  expect(said).toMatch(/no dependency violations found \((?!0 modules)\d+ modules/);
  expect(status).toBe(0);
});

test("every kind of bad import makes the check fail, by name", async () => {
  for (const [file, content] of [...planted.map(([, ...plant]) => plant), ...accomplices]) {
    await mkdir(dirname(join(copy, "src", file)), { recursive: true });
    await writeFile(join(copy, "src", file), `${content}\n`);
  }
  const { status, said } = cruise();
  expect(status).not.toBe(0);
  for (const [rule, file] of planted) {
    const found = said.split("\n").some((line) => line.includes(rule) && line.includes(file));
    expect(found, `${rule}: src/${file} was not reported in\n${said}`).toBe(true);
  }
});

test("what must run in a browser does not compile where it names Node's globals", async () => {
  await writeFile(join(copy, "src", "training", "planted.ts"), "export const x = [process.pid, Buffer.from([1])];\n");
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.library.json"], {
    cwd: copy,
    encoding: "utf8",
  });
  for (const name of ["process", "Buffer"])
    expect(stdout).toMatch(new RegExp(`training/planted.ts.*Cannot find name '${name}'`));
});
