/** Each door alone in a page: a bundler takes what is used, and leaves the runtime where nobody runs anything. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;

// "telltale" is the project itself, as its package.json exports it.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-shaking-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "telltale"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What is left of a page with this code: its text, and the files it was made of. */
async function bundled(name: string, code: string): Promise<{ text: string; modules: string[] }> {
  const entry = join(folder, `${name}.js`);
  await writeFile(entry, code);
  const output = (await build({
    ...{ root: folder, configFile: false, logLevel: "silent" },
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: name } },
  })) as Rollup.RollupOutput[];
  const chunks = output.flatMap((each) => each.output).filter((each) => each.type === "chunk");
  const modules = chunks.flatMap(({ modules: all }) =>
    Object.entries(all).flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? [path] : [])),
  );
  return { text: chunks.map((chunk) => chunk.code).join("\n"), modules };
}

test("a page that scores clusters has no runtime, no formulas and no methods in it", async () => {
  const code = 'import { metrics } from "telltale/metrics"; console.log(metrics.ari.score([0, 1], [1, 0]));';
  const { text, modules } = await bundled("scores", code);
  expect(modules.filter((path) => /onnx|protobuf|src\/(runtime|graph|nn|methods|training)/.test(path))).toEqual([]);
  expect(text).not.toMatch(/onnxruntime/);
  expect(text.length).toBeLessThan(40_000);
});

test("a page that writes formulas has no methods and no metrics in it", async () => {
  const code = `import { gradient, input, sum, multiply } from "telltale/engine";
    const x = input("x", ["n"]); console.log(gradient(sum(multiply(x, x)), [x]));`;
  const { modules } = await bundled("formulas", code);
  expect(modules.filter((path) => /onnx|src\/(runtime|methods|metrics|training|explain)/.test(path))).toEqual([]);
});

test("a file with a method of one's own brings no loop and no runtime along", async () => {
  const code = 'import { number, variable, filled } from "telltale/method"; console.log(number, variable, filled);';
  const { modules } = await bundled("method", code);
  expect(modules.filter((path) => /onnx|src\/(runtime|methods|model)|training\/train/.test(path))).toEqual([]);
});
