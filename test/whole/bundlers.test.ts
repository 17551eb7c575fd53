/**
 * A page that Vite serves and builds, in a real browser, with the package as npm installs it: docs/bundlers.md. The
 * other bundlers are tried by bench/peers/bundlers.mjs, which installs them.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { build, createServer, type InlineConfig, preview } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/chromium.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
let browser: Browser;
let config: InlineConfig;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-bundlers-"));
  // Copies, as npm makes them: a package that is a link is served in another way.
  const packages = ["fflate", "onnx-buf", "onnxruntime-web", "onnxruntime-common", "valibot", "@bufbuild/protobuf"];
  for (const name of packages) {
    await cp(join(root, "node_modules", name), join(folder, "node_modules", name), {
      recursive: true,
      dereference: true,
      // Only what a page may ask for: the package is large.
      filter: (path) => !/onnxruntime-web[\\/](lib|docs)[\\/]|\.map$/.test(path),
    });
  }
  const telltale = join(folder, "node_modules", "telltale");
  await mkdir(join(telltale, "dist"), { recursive: true });
  await cp(join(root, "package.json"), join(telltale, "package.json"));
  await cp(join(root, "dist/src"), join(telltale, "dist/src"), {
    recursive: true,
    filter: (path) => !path.endsWith(".map"),
  });
  const text = await readFile(`${root}docs/bundlers.md`, "utf8");
  const block = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text)![1]!;
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><body><script type="module" src="/main.js"></script></body>',
  );
  await writeFile(join(folder, "main.js"), block("js"));
  await writeFile(join(folder, "worker.js"), block("javascript"));
  await writeFile(join(folder, "vite.config.mjs"), block("mjs"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  config = { root: folder, configFile: join(folder, "vite.config.mjs"), logLevel: "error" };
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function shows(address: string): Promise<string> {
  const tab = await browser.newPage();
  const problems: string[] = [];
  tab.on("pageerror", (error) => problems.push(error.message));
  await tab.goto(address);
  await tab.waitForFunction("document.body.innerText.startsWith('found')", undefined, { timeout: 60_000 });
  expect(problems).toEqual([]);
  return tab.innerText("body");
}

test("Vite's dev server serves the page of docs/bundlers.md, which trains in a worker", async () => {
  const server = await createServer({ ...config, server: { port: 0, host: "127.0.0.1" } });
  try {
    await server.listen();
    expect(await shows(server.resolvedUrls!.local[0]!)).toBe("found 2 clusters");
  } finally {
    await server.close();
  }
});

test("and Vite builds it", async () => {
  await build(config);
  const server = await preview({ ...config, preview: { port: 0, host: "127.0.0.1" } });
  try {
    expect(await shows(server.resolvedUrls!.local[0]!)).toBe("found 2 clusters");
  } finally {
    await server.close();
  }
});
