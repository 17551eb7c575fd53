/** The page without a server: static files that train in a tab, and one run as one file. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDevice, openRows } from "../../src/doors/inside.ts";
import { encodePng } from "../../src/formats/png.ts";
import { nodeDevices } from "../../src/runtime/nodeDevices.ts";
import { parquet } from "../files/folder.ts";
import { fitRun, folder, pumpsRun } from "../server/support.ts";
import { launchChromium } from "../support/chromium.ts";
import { expectClose } from "../support/close.ts";

const { exportPage } = (await import(
  "../../dist/src/server/exported/exportPage.js" as string
)) as typeof import("../../src/server/exported/exportPage.ts");
const { exportRunPage } = (await import(
  "../../dist/src/server/exported/exportRunPage.js" as string
)) as typeof import("../../src/server/exported/exportRunPage.ts");

const sensors = fileURLToPath(new URL("../../examples/sensors.csv", import.meta.url));
const types: Record<string, string> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".html": "text/html",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

let browser: Browser;
let server: Server;
let context: BrowserContext;
let page: Page;
const [asked, complaints]: [string[], string[]] = [[], []];
let origin = "";

/** As any host of plain files does it: no header of ours. */
function hosted(root: string): Server {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, "http://host");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const bytes = await readFile(join(root, path)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { "Content-Type": types[extname(path)] ?? "text/plain" });
    response.end(bytes);
  });
}

function listening(found: Page): void {
  found.on("console", (message) => complaints.push(message.text()));
  found.on("pageerror", (error) => complaints.push(error.message));
}

beforeAll(async () => {
  await exportPage(join(folder, "page"));
  server = hosted(join(folder, "page"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  context.on("request", (request) => asked.push(request.url()));
  page = await context.newPage();
  listening(page);
  await page.goto(`${origin}/`);
  await page.locator(".new").waitFor();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 30_000 });

async function violations(found: Page): Promise<string[]> {
  await found.evaluate(axe.source);
  const { violations } = (await found.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

/** Drops files, and fits them. */
async function fitted(
  files: string | { name: string; mimeType: string; buffer: Buffer }[],
  { method, clusters, options = {} }: { method: string; clusters: number; options?: Record<string, number | string> },
): Promise<void> {
  await page.getByRole("button", { name: "Train" }).click();
  if ((await page.getByRole("button", { name: "+ New" }).count()) > 0)
    await page.getByRole("button", { name: "+ New" }).click();
  await page.locator("input[type=file]").setInputFiles(files as never);
  await page.locator(".start").waitFor();
  await page.locator(".start input[type=number]").first().fill(String(clusters));
  await page.locator(".start > label select").first().selectOption(method);
  await page.getByText(`Options of ${method}`).click();
  for (const [name, value] of Object.entries(options)) {
    const input = page.locator(".options label", { hasText: new RegExp(`^${name} `) }).locator("input");
    await input.fill(String(value));
    await input.blur();
  }
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("button", { name: "Look at the clusters" }).click({ timeout: 200_000 });
  await page.locator(".chart canvas[data-drawn]").waitFor();
}

const inputs = ["temperature_c", "vibration_mm_s", "power_kw", "pressure_bar", "flow_l_min"];

test("a tab trains the README's example, and its model.onnx says what Node's on WebAssembly says", async () => {
  await fitted(sensors, {
    method: "tell",
    clusters: 4,
    options: { hidden: "8", pretraining: 3, epochs: 2 },
  });
  expect(await page.locator(".list h2").innerText()).toContain("4 clusters");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Model" }).click();
  const inTab = new Uint8Array(await readFile((await (await saving).path())!));

  const run = await fitRun(sensors, {
    out: join(folder, "sensors"),
    ...{ method: "tell", clusters: 4, device: "wasm", map: false, report: false },
    options: { hidden: [8], pretraining: 3, epochs: 2 },
  });
  const here = await run.folder.bytes("model.onnx");
  const { data, close } = await openRows(sensors, {});
  const { runtime } = await findDevice(nodeDevices, "cpu");
  const x = new runtime.Tensor("float32", data.tensor!.data, [...data.tensor!.shape]);
  const said = async (bytes: Uint8Array) => {
    const session = await runtime.InferenceSession.create(bytes);
    return session.run({ x });
  };
  const [tab, node] = [await said(inTab), await said(here)];
  expect([...(tab.label!.data as BigInt64Array)]).toEqual([...(node.label!.data as BigInt64Array)]);
  for (const name of ["distances", "probabilities", "z"]) {
    expectClose(tab[name]!.data as Float32Array, node[name]!.data as Float32Array, 1e-5);
  }
  await close();
});

test("the run is looked at as any other: panels, reasons that add up, search, table, and a file of rows", async () => {
  await page.locator(".list li button").first().click();
  await page.locator(".between dd").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.evaluate("location.hash = location.hash.replace(/cluster=\\d+/, 'row=17')");
  await page.locator(".panel .sum").waitFor();
  const values = (await page.locator(".panel .bars .value").allInnerTexts()).map((text) =>
    Number(text.replace("−", "-")),
  );
  expect(values.slice(0, -1).reduce((sum, value) => sum + value, 0)).toBeCloseTo(values.at(-1)!, 1);
  await page.locator(".search input").fill("pump-001");
  await soon(() => page.locator(".filters h2 .soft").innerText()).toBe("10 of 1,200");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const lines = (await readFile((await (await saving).path())!, "utf8")).trim().split("\n");
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe(`row,cluster,second,confidence,margin,distance,outlier,reading_id,${inputs},firmware`);
  await page.getByRole("button", { name: "Table" }).click();
  await soon(() => page.locator(".table > p").innerText()).toContain("10 rows");
  await page.locator("thead").getByRole("button", { name: "power_kw" }).click();
  await page.locator(".scroll tbody tr:not(.space)").nth(9).waitFor();
  expect(await page.getByRole("button", { name: "Compare" }).count()).toBe(0);
});

/** The first rows of a table: a step on a GPU that is played takes long. */
async function beginning(file: string, rows: number) {
  const lines = (await readFile(file, "utf8")).split("\n").slice(0, rows + 1);
  return { name: "few.csv", mimeType: "text/csv", buffer: Buffer.from(`${lines.join("\n")}\n`) };
}

/** A GPU that the processor plays. */
const withGpu = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

test("where the browser has WebGPU, a tab trains on it; without, nobody is asked", async ({ skip }) => {
  await page.goto(`${origin}/#page=training`);
  await page.locator("input[type=file]").setInputFiles(sensors);
  await page.locator(".start").waitFor();
  expect(await page.locator(".start label", { hasText: /^On / }).count()).toBe(0);
  const other = await launchChromium(...withGpu);
  try {
    const tab = await other.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
    await tab.goto(origin);
    const adapter = "navigator.gpu ? navigator.gpu.requestAdapter().then(Boolean) : false";
    if (!(await tab.evaluate(adapter))) skip("this Chromium cannot play a GPU");
    // The browser itself had something to say to that question.
    listening(tab);
    await tab.goto(`${origin}/#page=training`);
    await tab.locator("input[type=file]").setInputFiles(await beginning(sensors, 200));
    await tab.locator(".start label", { hasText: /^On / }).locator("select").selectOption("gpu");
    await tab.locator(".start input[type=number]").first().fill("4");
    await tab.locator(".start > label select").first().selectOption("tell");
    await tab.getByText("Options of tell").click();
    for (const [name, value] of Object.entries({ hidden: "8", pretraining: "1", epochs: "1" })) {
      const input = tab.locator(".options label", { hasText: new RegExp(`^${name} `) }).locator("input");
      await input.fill(value);
      await input.blur();
    }
    await tab.getByRole("button", { name: "Start" }).click();
    const look = tab.getByRole("button", { name: "Look at the clusters" });
    await look.or(tab.locator(".fit .note")).waitFor({ timeout: 200_000 });
    expect(await tab.locator(".fit").innerText()).toMatch(/tell on ONNX Runtime Web [\d.]+, WebGPU/);
    await look.click();
    await soon(() => tab.locator(".list h2").innerText()).toContain("4 clusters");
    expect(complaints).toEqual([]);
  } finally {
    await other.close();
  }
});

test("Parquet and pictures are read in the tab as well", async () => {
  const query =
    "select i as id, 'text ' || i as words, [i % 2 * 10.0, 1.0, i / 1000] as embedding, date '2024-01-01' + i::int as day from range(40) t(i)";
  await fitted(await parquet("vectors.parquet", query), { method: "kmeans", clusters: 2 });
  await soon(async () =>
    (await page.locator(".list .size").allInnerTexts()).map((text) => text.trim().split(/\s/)[0]),
  ).toEqual(["20", "20"]);
  const drawn = Array.from({ length: 24 }, (_, i) => {
    const pixels = Uint8Array.from({ length: 64 }, (_, at) => (at % 8 < 4 === (i % 2 === 0) ? 250 - i : 5));
    return { name: `${i}.png`, mimeType: "image/png", buffer: Buffer.from(encodePng(pixels, 8, 8, 1)) };
  });
  await fitted(drawn, { method: "kmeans", clusters: 2 });
  await page.locator(".list li button").first().click();
  await soon(() => page.locator(".panel .gallery img").count()).toBeGreaterThan(4);
  await soon(() => page.locator(".panel .gallery img").first().getAttribute("src")).toMatch(/^blob:/);
});

test("nothing leaves the machine: no request to elsewhere, no code from text, no complaint", async () => {
  expect(await page.locator(".here").innerText()).toContain("Nothing leaves this machine");
  expect(asked.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url))).toEqual([]);
  expect(complaints).toEqual([]);
  const made: string[] = [];
  const elsewhere = createServer((request, response) => {
    made.push(request.url!);
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  const answering = page.workers().filter((worker) => worker.url().includes("askingWorker"));
  expect(answering).toHaveLength(1);
  const leaving = `fetch("${address}").then(() => "sent", () => "refused")`;
  expect([await page.evaluate(leaving), await answering[0]!.evaluate(leaving)]).toEqual(["refused", "refused"]);
  const code =
    "new Promise((told) => setTimeout(() => { try { told(Function('return 1')()); } catch { told('refused'); } }))";
  expect(await page.evaluate(code)).toBe("refused");
  expect(made).toEqual([]);
  elsewhere.close();
  complaints.length = 0;
});

test("once loaded, it opens and trains without a network, with threads, and fits under 200 kB at first", async () => {
  expect(await page.evaluate("crossOriginIsolated")).toBe(true);
  await context.setOffline(true);
  await new Promise<void>((resolve) => server.close(() => resolve()) && server.closeAllConnections());
  await page.goto(`${origin}/#page=training`);
  await page.reload();
  await page.locator("input[type=file]").setInputFiles(sensors);
  await page.locator(".start").waitFor();
  expect(await page.locator(".new").innerText()).toContain("1,200 rows");
  await fitted(sensors, { method: "tell", clusters: 4, options: { hidden: "8", pretraining: 1, epochs: 1 } });
  expect(await page.locator(".list h2").innerText()).toContain("4 clusters");
  const index = await readFile(join(folder, "page/index.html"), "utf8");
  const first = [...index.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => name!);
  const sizes = await Promise.all(
    first.map(async (name) => gzipSync(await readFile(join(folder, "page", name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  expect(complaints).toEqual([]);
});

test("one run is one file: it opens from the disk, asks nobody, and tells of the rows that stand for their clusters", async () => {
  const path = await pumpsRun();
  const out = join(folder, "pumps.html");
  const { rows, explained } = await exportRunPage(path, out, { force: false });
  expect([rows, explained > 10]).toEqual([90, true]);
  const text = (await readFile(out, "utf8")).replaceAll("&#39;", "'");
  expect(text).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
  const alone = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", offline: true });
  const requests: string[] = [];
  alone.on("request", (request) => requests.push(request.url()));
  const looked = await alone.newPage();
  complaints.length = 0;
  listening(looked);
  await looked.goto(`file://${out}`);
  await looked.locator(".chart canvas[data-drawn]").waitFor();
  await looked.locator(".list li button").first().click();
  await looked.locator(".between dd").first().waitFor();
  expect(await violations(looked)).toEqual([]);
  await looked.locator(".panel .rows button").first().click();
  await looked.locator(".panel .sum").waitFor();
  await looked.locator(".search input").fill("<script>");
  await soon(() => looked.locator(".filters h2 .soft").innerText()).toBe("1 of 90");
  await looked.getByRole("button", { name: "Table" }).click();
  await soon(() => looked.locator(".table > p").innerText()).toContain("1 row");
  expect(await looked.getByRole("button", { name: /Train|Model|Compare|Change it/ }).count()).toBe(0);
  expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
  expect(complaints).toEqual([]);
  await expect(exportRunPage(path, out, { force: false })).rejects.toThrow(/is there already/);
  await alone.close();
});
