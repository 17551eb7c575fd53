import { execFile } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

test("the README's programs print what it says they print", async () => {
  const readme = await readFile(`${root}README.md`, "utf8");
  const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
  expect(programs.length).toBeGreaterThan(0);
  for (const [i, code] of programs.entries()) {
    // Inside the project, "telltale" is the project itself, as its package.json exports it.
    const file = `${root}dist/readme-${i}.mjs`;
    await writeFile(file, code);
    const { stdout } = await run(process.execPath, [file]);
    await rm(file);
    const promised = [...code.matchAll(/console\.log\(.*\); +\/\/ (.*)/g)].map(([, text]) => text);
    expect(promised.length).toBeGreaterThan(0);
    expect(stdout.trimEnd().split("\n")).toEqual(promised);
  }
});

test("the links in the README and the docs lead somewhere", async () => {
  const methods = (await readdir(`${root}docs/methods`)).map((name) => `docs/methods/${name}`);
  const pages = (await readdir(`${root}docs`)).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  expect(pages.length + methods.length).toBeGreaterThan(10);
  for (const page of ["README.md", "CHANGELOG.md", ...pages, ...methods]) {
    const text = await readFile(`${root}${page}`, "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link!);
    for (const link of links) {
      await expect(stat(new URL(link, `file://${root}${page}`)), `${page}: ${link}`).resolves.toBeDefined();
    }
  }
});
