import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const demo = fileURLToPath(new URL("../../dist/scripts/demo.js", import.meta.url));
const run = promisify(execFile);

test("the demo trains, names its file, and leaves nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-demo-"));
  const out = join(folder, "digits.html");
  const { stdout, stderr } = await run(process.execPath, [demo, "--epochs", "2", "--out", out]);
  expect(stdout).toMatch(/^loss 0\.0\d+ after 2 epochs in \d+ s; .*digits\.html\n$/);
  expect(stderr).toMatch(/epoch 2\/2 {2}loss 0\.0\d+/);
  const page = await readFile(out, "utf8");
  expect(page).toContain("data:image/png;base64,");
  // One file that needs no other: no address in it but the picture's own data.
  expect(page).not.toMatch(/(src|href)="(?!data:)/);
  expect(await readdir(folder)).toEqual(["digits.html"]);
  await rm(folder, { recursive: true });
});

test("a wrong number of epochs is refused in one line", async () => {
  await expect(run(process.execPath, [demo, "--epochs", "none"])).rejects.toMatchObject({
    code: 2,
    stderr: "demo: --epochs must be a whole number from 1, got none\n",
  });
});
