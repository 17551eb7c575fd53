/** "A row's way" in docs/architecture.md, followed: a real fit goes through each file, in that order. */

import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;

interface Step {
  readonly number: number;
  readonly file: string;
  readonly name: string;
}

/** Rows such as | 7 | [`src/files/openRows.ts`](…) | `openRows` | … | */
async function stepsInDocs(): Promise<Step[]> {
  const page = await readFile(`${root}docs/architecture.md`, "utf8");
  const section = page.slice(page.indexOf("## A row's way"));
  const rows = section
    .slice(0, section.indexOf("\n## ", 5))
    .matchAll(/^\| *(\d+) *\| \[`(src\/[^`]+)`\]\([^)]*\) *\| `(\w+)` *\|/gm);
  return Array.from(rows, ([, number, file, name]) => ({ number: Number(number), file: file!, name: name! }));
}

/** The built file with a call of `tell` at the start of a function, a method or a generator of this name. */
function withMark(code: string, { number, file, name }: Step): string {
  const opening = new RegExp(`^ *(?:export |return )*(?:async )?(?:function\\*? )?\\*?${name}\\(.*\\{$`, "m");
  const marked = code.replace(opening, (line) => `${line} __tell(${number});`);
  if (marked === code) throw new Error(`${file}: has no function ${name}`);
  return marked.replace(
    /^(?=import |\/\*\*)/m,
    'import { writeSync as __write } from "node:fs"; const __tell = (n) => __write(2, "\\n@" + n + "@\\n");\n',
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-way-"));
  for (const name of ["dist/src", "package.json", "examples/sensors.csv"]) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the way has at most 25 steps, counted, and no file twice", async () => {
  const steps = await stepsInDocs();
  expect(steps.length).toBeGreaterThan(15);
  expect(steps.length).toBeLessThanOrEqual(25);
  expect(steps.map(({ number }) => number)).toEqual(steps.map((_, i) => i + 1));
  expect(new Set(steps.map(({ file }) => file)).size).toBe(steps.length);
});

test("a fit takes these steps, each file's function in the order of its first call", async () => {
  const steps = await stepsInDocs();
  for (const step of steps) {
    const built = join(folder, "dist", step.file.replace(/\.ts$/, ".js"));
    await writeFile(built, withMark(await readFile(built, "utf8"), step));
  }
  const words = [
    "fit",
    "examples/sensors.csv",
    "-k",
    "4",
    "--epochs",
    "1",
    "--restarts",
    "1",
    "--set",
    "pretraining=1",
  ];
  const command = [join(folder, "dist/src/cli/main.js"), ...words, "--set", "hidden=8", "--out", join(folder, "run")];
  const child = spawn(process.execPath, command, { cwd: folder });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const code = await new Promise((ended) => child.once("close", ended));
  expect(code, said).toBe(0);
  const taken = [...new Set([...said.matchAll(/^@(\d+)@$/gm)].map(([, number]) => Number(number)))];
  const described = (number: number): string => `${number} ${steps[number - 1]!.file}`;
  expect(taken.map(described)).toEqual(steps.map(({ number }) => described(number)));
});
