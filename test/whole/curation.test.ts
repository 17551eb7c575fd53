/** The worked example of docs/curation.md, as somebody types it. */

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("the program of docs/curation.md prints what it says it prints", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-curation-"));
  try {
    await cp(`${root}examples/sensors.csv`, join(folder, "sensors.csv"));
    await mkdir(join(folder, "node_modules"));
    await symlink(root, join(folder, "node_modules", "telltale"));
    const [, code] = /```ts\n([\s\S]*?)```/.exec(await readFile(`${root}docs/curation.md`, "utf8"))!;
    // Without types: Node 20 reads none.
    await writeFile(join(folder, "program.mjs"), code!.replaceAll(" as const", ""));
    const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder });
    const [, promised] = /console\.log\(.*\); +\/\/ (.*)/.exec(code!)!;
    expect(stdout.trimEnd()).toBe(promised);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
