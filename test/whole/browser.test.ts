import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { launchChromium } from "../support/chromium.ts";
import { expectClose } from "../support/close.ts";
import { batches, denseWithDropout, losses, trainingStep } from "../support/training.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const types: Record<string, string> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".html": "text/html",
};

/** The packages as a page without a bundler finds them. */
const importMap = {
  imports: {
    telltale: "/dist/src/doors/browser.js",
    "telltale/engine": "/dist/src/doors/engine.js",
    fflate: "/node_modules/fflate/esm/browser.js",
    "onnxruntime-web": "/node_modules/onnxruntime-web/dist/ort.wasm.bundle.min.mjs",
    "onnx-buf": "/node_modules/onnx-buf/dist/onnx_pb.js",
    "@bufbuild/protobuf": "/node_modules/@bufbuild/protobuf/dist/esm/index.js",
    valibot: "/node_modules/valibot/dist/index.mjs",
    "@bufbuild/protobuf/wire": "/node_modules/@bufbuild/protobuf/dist/esm/wire/index.js",
    "@bufbuild/protobuf/codegenv2": "/node_modules/@bufbuild/protobuf/dist/esm/codegenv2/index.js",
  },
};
const withImports = (body: string): string =>
  `<!doctype html><script type="importmap">${JSON.stringify(importMap)}</script>\n${body}`;
const pages: Record<string, () => Promise<string>> = {
  "/": async () => withImports('<script type="module" src="/test/support/in-browser.mjs"></script>'),
  "/readme": async () => {
    const [, snippet] = /```html\n([\s\S]*?)```/.exec(await readFile(`${root}README.md`, "utf8"))!;
    return withImports(`<body>${snippet}</body>`);
  },
};

let server: Server;
let browser: Browser;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://localhost").pathname);
    // With these two headers the page may share memory, and WebAssembly has threads.
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    response.setHeader("Content-Type", types[extname(path)] ?? "text/html");
    response.end(await (pages[path]?.() ?? readFile(`${root}${path}`).catch(() => "")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

test("the library trains in a browser tab as it is, and learns what it learns here", async () => {
  const tab = await browser.newPage();
  const problems: string[] = [];
  tab.on("pageerror", (error) => problems.push(error.message));
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const result = await tab.waitForFunction("globalThis.result");
  const inBrowser = (await result.jsonValue()) as { device: string; losses: number[]; error?: string };
  expect(inBrowser.error).toBeUndefined();
  expect(problems).toEqual([]);
  expect(inBrowser.device).toMatch(/WebAssembly, threads: [1-4]/);

  const here = await Session.open(trainingStep(denseWithDropout(1)), await findDevice(devices, "wasm"));
  const data = batches(denseWithDropout(1), 30, { rate: 1e-3 });
  expectClose(inBrowser.losses, losses(await here.runMany(data, { random: Random.seeded(7) })), 1e-5);
});

test("the README's page finds its clusters in a tab", async () => {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readme`);
  await tab.waitForFunction("document.body.innerText.startsWith('found')", undefined, { timeout: 60_000 });
  expect(await tab.innerText("body")).toContain("found 2 clusters");
});
