/** The page of `telltale view` in a real browser, driven as a person would drive it. */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page, Request, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodePng } from "../../src/formats/png.ts";
import { type Client, fitRun, folder, pumpsFile, pumpsRun, served } from "../server/support.ts";
import { launchChromium } from "../support/chromium.ts";
import { violations } from "../support/violations.ts";

/** Pictures of two kinds: white on the left, and on the right. */
async function shapesFolder(): Promise<string> {
  const path = join(folder, "shapes");
  await mkdir(path);
  for (let i = 0; i < 40; i++) {
    const pixels = Uint8Array.from({ length: 64 }, (_, at) => (at % 8 < 4 === (i % 2 === 0) ? 250 - i : 5));
    await writeFile(join(path, `${i}.png`), encodePng(pixels, 8, 8, 1));
  }
  return path;
}

let browser: Browser;
let client: Client;
beforeAll(async () => {
  await pumpsRun();
  await pumpsRun("four", { clusters: 4 });
  const paths = [`${folder}/runs`, await pumpsFile(), await shapesFolder()];
  client = await served({ paths, out: `${folder}/runs` });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await client?.server.close();
});

/** What holds sooner or later; how soon depends on the machine. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 30_000 });

interface Opened {
  readonly page: Page;
  /** What it asked for elsewhere, and what it complained about. */
  readonly elsewhere: string[];
  readonly complaints: string[];
}

/** The page of a run; `at` is what follows # in the address. */
async function open(at = "page=map&run=pumps", options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", ...options });
  const page = await context.newPage();
  const [elsewhere, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(client.origin) && !/^(data|blob):/.test(url)) elsewhere.push(url);
  });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  await page.goto(client.server.address);
  await page.locator(".runs button.card").first().waitFor();
  expect(page.url()).not.toContain("token");
  await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
  if (at.includes("page=map")) await page.locator(".chart canvas[data-drawn]").waitFor();
  return { page, elsewhere, complaints };
}

/** Where a row is in the picture, found by the colors of the canvas: the middle of all that is not empty. */
const inked = `(() => {
  const canvas = document.querySelector(".chart canvas");
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const colors = new Set();
  let [count, left, top] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 250) continue;
    count++;
    colors.add(data[at] + "," + data[at + 1] + "," + data[at + 2]);
    [left, top] = [(at / 4) % canvas.width, Math.floor(at / 4 / canvas.width)];
  }
  return { count, colors: colors.size, left, top };
})()`;

interface Inked {
  readonly count: number;
  readonly colors: number;
  readonly left: number;
  readonly top: number;
}

test("what is loaded first is under 200 kB, gzipped", async () => {
  const assets = fileURLToPath(new URL("../../dist/page/assets/", import.meta.url));
  const sizes = await Promise.all(
    (await readdir(assets)).map(async (name) => gzipSync(await readFile(assets + name)).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(200_000);
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.each([1280, 390])("at a width of %i everyone can read it, and it is quiet", async (width) => {
    const { page, elsewhere, complaints } = await open(undefined, { colorScheme, viewport: { width, height: 800 } });
    await page.locator(".list li button").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator(".list li button").first().click();
    await page.locator(".panel .bars li").first().waitFor();
    await page.locator(".between input").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    for (const at of ["page=table&run=pumps&row=3", "page=compare&run=pumps&other=four", "page=training", ""]) {
      await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
      await page
        .locator(at.includes("table") ? ".panel .sum" : at.includes("compare") ? ".flow" : at ? ".start" : ".runs")
        .first()
        .waitFor();
      expect(await violations(page), at).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), at).toBe(true);
      // One thing scrolls: the part of the page that is looked at, never the page around it.
      expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), at).toBe(true);
      // Of ninety rows only those that are seen are there, however narrow it is.
      expect(await page.locator(".scroll tbody tr:not(.space)").count(), at).toBeLessThan(60);
    }
    expect([elsewhere, complaints]).toEqual([[], []]);
    await page.context().close();
  });
});

/** WebGL, where the browser would compute it itself; kept, so that it can be looked at. */
const withWebgl = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    const loose = kind === "webgl2" ? { ...options, failIfMajorPerformanceCaveat: false, preserveDrawingBuffer: true } : options;
    const context = getContext.call(this, kind, loose);
    if (kind === "webgl2") globalThis.gl = context;
    return context;
  };
}`;

test("both renderers draw the points of all clusters, and WebGL's come back when its context was lost", async () => {
  const plain = await open();
  await soon(async () => ((await plain.page.evaluate(inked)) as Inked).colors).toBeGreaterThanOrEqual(3);
  const byHand = (await plain.page.evaluate(inked)) as Inked;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  await context.addInitScript(withWebgl);
  const page = await context.newPage();
  await page.goto(client.server.address);
  await page.locator(".runs button.card").first().waitFor();
  await page.evaluate("location.hash = 'page=map&run=pumps'");
  await page.locator(".chart canvas[data-drawn]").waitFor();
  expect(await page.evaluate("gl instanceof WebGL2RenderingContext")).toBe(true);
  const close = async (): Promise<boolean> => {
    const { count, colors } = (await page.evaluate(inked)) as Inked;
    return colors >= 3 && Math.abs(count - byHand.count) < 0.5 * byHand.count;
  };

  await soon(close).toBe(true);
  await page.evaluate("{ globalThis.lost = gl.getExtension('WEBGL_lose_context'); lost.loseContext(); }");
  await page.waitForTimeout(50);
  await page.evaluate("lost.restoreContext()");
  await soon(close).toBe(true);
  await context.close();
  await plain.page.context().close();
});

test("a point that is pointed at says what it is; pressed, why it is there, in parts that add up", async () => {
  const { page, complaints } = await open();
  await soon(async () => ((await page.evaluate(inked)) as Inked).count).toBeGreaterThan(0);
  const { left, top } = (await page.evaluate(inked)) as Inked;
  const box = (await page.locator(".chart canvas").boundingBox())!;
  await page.mouse.move(box.x + left, box.y + top);
  await page.locator(".hover dl div").first().waitFor();
  expect(await page.locator(".hover").innerText()).toMatch(/row \d+, .*confident/);
  await page.mouse.click(box.x + left, box.y + top);
  await page.locator(".panel .sum").waitFor();
  expect(page.url()).toMatch(/row=\d+/);
  const numbers = await page.locator(".panel .bars .value").allInnerTexts();
  const values = numbers.map((text) => Number(text.replace("−", "-")));
  const sum = values.slice(0, -1).reduce((total, value) => total + value, 0);
  expect(sum).toBeCloseTo(values.at(-1)!, 1);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Back" }).click();
  await page.locator(".list").waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the name of a cluster stays on the side where the map has room for it, also when it is pressed", async () => {
  const { page } = await open();
  const sides = () =>
    page.evaluate(`[...document.querySelectorAll(".marker:not([hidden])")].map((marker) => {
      const [number, name] = [".number", ".name"].map((part) => marker.querySelector(part).getBoundingClientRect());
      return [marker.dataset.cluster, name.width === 0 ? "none" : name.left < number.left ? "left" : "right"];
    })`) as Promise<[string, string][]>;
  // The map is moved until a marker is so far to the right that its name is on the left of it.
  await page.locator(".chart canvas").focus();
  const leftward = async () => (await sides()).find(([, side]) => side === "left")?.[0];
  for (let i = 0; i < 30 && (await leftward()) === undefined; i++) await page.keyboard.press("ArrowLeft");
  const onLeft = (await leftward())!;
  await page.locator(`.marker[data-cluster="${onLeft}"]`).dispatchEvent("click");
  await page.locator(`.marker.on[data-cluster="${onLeft}"]`).waitFor();
  expect(await sides()).toContainEqual([onLeft, "left"]);
  await page.context().close();
});

test("the keyboard reaches clusters, rows and the map; the slider decodes what is between two centers", async () => {
  const { page, complaints } = await open();
  await page.locator(".list li button").first().focus();
  await page.keyboard.press("Enter");
  await page.locator(".between dd").first().waitFor();
  const before = await page.locator(".between dl").innerText();
  await page.locator(".between input").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  expect(await page.locator(".between dl").innerText()).not.toBe(before);
  await page.locator(".chart canvas").focus();
  await page.keyboard.press("+");
  await soon(() => page.url()).toContain("at=");
  // From where it is looked at comes back: by the browser's way back, and by a link.
  const places = () =>
    page.evaluate("[...document.querySelectorAll('.marker')].map(({ style, hidden }) => [style.transform, hidden])");
  const link = page.url().split("#")[1]!;
  const near = await places();
  await page.getByRole("button", { name: "All clusters" }).click();
  await page.locator(".chart canvas").focus();
  await page.keyboard.press("0");
  await soon(() => page.url()).not.toContain("at=");
  const whole = await places();
  expect(whole).not.toEqual(near);
  await page.goBack();
  await soon(places).toEqual(near);
  await page.locator(".chart canvas").focus();
  await page.keyboard.press("0");
  await soon(places).toEqual(whole);
  await soon(() => page.url()).not.toContain("at=");
  await page.evaluate(`location.hash = ${JSON.stringify(link)}`);
  await soon(places).toEqual(near);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the address of a server that was started again opens in the page that is open", async () => {
  const { page } = await open("page=map&run=pumps");
  await page.context().clearCookies();
  await page.goto(client.server.address);
  await page.locator(".runs button.card").first().waitFor();
  expect(page.url()).not.toContain("token");
  await page.context().close();
});

const chosen = (page: Page): Promise<string> => page.locator(".filters h2 .soft").innerText();

test("text, clusters, values and brushed histograms are one filter, which the table and a link have too", async () => {
  const { page, complaints } = await open();
  await page.getByLabel("confidence from").focus();
  for (let i = 0; i < 100; i++) await page.keyboard.press("ArrowRight");
  await soon(() => page.url()).toContain("above=");
  await soon(() => chosen(page)).toMatch(/^[1-8]?\d of 90$/);
  await page.getByRole("button", { name: "Any confidence" }).click();
  await page.locator(".search input").fill("leak");
  await soon(() => chosen(page)).toBe("45 of 90");
  await page.locator(".list li input").first().check();
  await soon(() => chosen(page)).toBe("15 of 90");
  // A column that was not used to cluster.
  const brush = page.locator(".brush", { hasText: "installed" });
  await brush.getByLabel(/ to$/).focus();
  for (let i = 0; i < 90; i++) await page.keyboard.press("ArrowLeft");
  await soon(() => chosen(page)).not.toBe("15 of 90");
  await soon(() => page.url()).toContain("range=");
  const count = await chosen(page);
  await page.getByRole("button", { name: "Table" }).click();
  await soon(() => page.locator(".table > p").innerText()).toContain(`${count.split(" ")[0]} row`);
  const link = page.url().split("#")[1]!;
  await page.context().close();
  const again = await open(link);
  await soon(() => chosen(again.page)).toBe(count);
  expect([...complaints, ...again.complaints]).toEqual([]);
  await again.page.context().close();
});

test("a lasso on the map keeps what it encircles, and the rows can be taken along as CSV", async () => {
  const { page, complaints } = await open();
  await page.getByRole("button", { name: "Lasso" }).click();
  const { x, y, width, height } = (await page.locator(".chart canvas").boundingBox())!;
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  for (const [right, down] of [
    [width - 5, 5],
    [width - 5, height - 5],
    [5, height - 5],
  ] as const) {
    await page.mouse.move(x + right, y + down, { steps: 4 });
  }
  await page.mouse.up();
  await soon(() => chosen(page)).toBe("90 of 90");
  // A page that was not sent safely has no clipboard: the link is there to be selected.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })");
  await soon(() => page.url()).toContain("lasso=");
  await page.getByRole("button", { name: "Link" }).click();
  expect(await page.getByLabel("The link to this view").inputValue()).toBe(page.url());
  const selected = "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))";
  await soon(() => page.evaluate(`${selected}(document.activeElement)`)).toBe(page.url());
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/\.csv$/);
  const lines = (await readFile((await saved.path())!, "utf8")).trim().split("\n");
  expect(lines).toHaveLength(91);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("colors follow confidence, a column and another run", async () => {
  const { page, complaints } = await open();
  const legend = page.locator(".legend");
  await page.getByLabel("Color by").selectOption("confidence");
  await soon(() => legend.innerText()).toContain("confidence");
  await page.getByLabel("Color by").selectOption({ label: "firmware (not used to cluster)" });
  await soon(() => legend.innerText()).toMatch(/v1[\s\S]*v2/);
  await legend.getByRole("button", { name: "v2" }).click();
  await soon(() => chosen(page)).toBe("18 of 90");
  await page.getByLabel("Color by").selectOption({ label: "four" });
  await soon(() => page.url()).toContain("other=four");
  await soon(() => legend.innerText()).toContain("a cluster of the other run");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the table is sorted by the server, and texts that try to be markup stay texts", async () => {
  const { page, complaints } = await open("page=table&run=pumps");
  const firstCell = page.locator(".scroll tbody tr:not(.space) td:nth-child(6)").first();
  await firstCell.waitFor();
  await page.locator(".scroll").focus();
  // The header's buttons by Tab, then the rows, by Tab and by the arrows.
  for (let i = 0; i < 10 + 1; i++) await page.keyboard.press("Tab");
  const inFocus = () => page.evaluate("document.activeElement.textContent");
  expect(await inFocus()).toBe("0");
  for (let row = 1; row <= 40; row++) {
    // A key that comes before its row is drawn only scrolls; whoever sees that presses again.
    await soon(async () => {
      if ((await inFocus()) !== `${row}`) await page.keyboard.press("ArrowDown");
      return inFocus();
    }).toBe(`${row}`);
  }
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await soon(() => page.url()).toContain("row=39");
  await page.locator("thead").getByRole("button", { name: "pressure" }).click();
  await soon(async () => Number(await firstCell.innerText())).toBeLessThan(2);
  await page.locator("thead").getByRole("button", { name: "pressure" }).click();
  await soon(async () => Number(await firstCell.innerText())).toBeGreaterThan(9);
  await page.locator(".search input").fill("<script>");
  await soon(() => page.locator(".table > p").innerText()).toContain("1 row");
  // Of what would put the row elsewhere nothing is left out: neither that no number does, nor that none was tried.
  const change = page.locator(".panel .change");
  const without: [object, RegExp][] = [
    [{ change: [] }, /No number by itself/],
    [{ change: undefined }, /reads the row as a whole\. The nearest rows of \d, to compare it with:[\s\S]*pump-/],
  ];
  for (const [less, said] of without) {
    await page.route("**/explanation*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...less } });
    });
    await page.locator(".scroll tbody th button").first().click();
    await soon(() => change.innerText()).toMatch(said);
    await page.unroute("**/explanation*");
    await page.getByRole("button", { name: "Back" }).click();
  }
  await page.locator(".scroll tbody th button").first().click();
  await page.locator(".whole").waitFor();
  await soon(() => change.innerText()).toMatch(/instead of .*: then/);
  expect(await page.locator(".whole").innerText()).toContain("<script>alert(1)</script> and a leak 4");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("two runs side by side: flows, matches, and the map of the rows of a flow", async () => {
  const { page, complaints } = await open("page=compare&run=pumps&other=four");
  await page.locator(".flow").first().waitFor();
  expect(await page.locator(".compare").innerText()).toContain("90 rows in both");
  const flow = page.locator(".flow").last();
  const [rows] = (await flow.getAttribute("aria-label"))!.split(" ");
  await flow.focus();
  await page.keyboard.press("Enter");
  await soon(() => page.url()).toContain("color=run");
  // Those that the flow has, and no others of either cluster.
  await soon(() => chosen(page)).toBe(`${rows} of 90`);
  await soon(() => page.locator(".chosen-rows").innerText()).toMatch(/in cluster \d of four/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a fit from the page: roles corrected, the map moves, the curves grow, and the run opens", async () => {
  const { page, complaints } = await open("page=training");
  // As Chromium says it where LANG is C.
  await page.evaluate("Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })");
  await page.getByLabel("What note is for").selectOption("ignored");
  await page.locator(".start input[type=number]").first().fill("3");
  await page.locator(".start > label select").first().selectOption("tell");
  await page.getByText("Options of tell").click();
  const option = (name: string) =>
    page.locator(".options label", { hasText: new RegExp(`^${name} `) }).locator("input");
  await option("pretraining").fill("2");
  await option("epochs").fill("4");
  await soon(() => page.locator(".expected").innerText()).toMatch(/^About .*: .* and the report\.$/);
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".moving canvas").waitFor({ timeout: 120_000 });
  await page.locator(".curves canvas").waitFor({ timeout: 120_000 });
  await page.getByRole("button", { name: "Look at the clusters" }).click({ timeout: 200_000 });
  await page.locator(".chart canvas[data-drawn]").waitFor();
  expect(await page.locator(".list h2").innerText()).toContain("3 clusters");
  await page.getByText("How they have formed").click();
  await page.getByRole("button", { name: "Replay" }).click();
  await soon(() => page.locator(".formed figcaption").innerText()).toMatch(/clustering, epoch 4/);
  await page.goBack();
  expect((await page.locator(".fit header p").first().innerText()).trim()).toBe("done");
  await page.getByRole("button", { name: "Replay" }).click();
  await soon(() => page.locator(".moving figcaption").innerText()).toMatch(/epoch \d/);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("of pictures, what the clusters stand for is seen with every frame, while they form and ever after", async () => {
  const sources = JSON.parse((await client.get("/api/sources")).text) as { id: string; name: string }[];
  const { id: source } = sources.find(({ name }) => name === "shapes")!;
  const options = { hidden: [32], pretraining: 40, epochs: 4 };
  const asked = await client.post("/api/fits", { source, method: "tell", clusters: 2, seed: 1, options });
  const { id } = JSON.parse(asked.text) as { id: string };
  const { page, complaints } = await open(`page=training&fit=${id}`);
  await page.getByRole("button", { name: "Look at the clusters" }).waitFor({ timeout: 120_000 });
  const drawings = page.locator(".exemplars canvas");
  await soon(() => drawings.count()).toBe(2);
  await page.getByRole("button", { name: "Look at the clusters" }).click();
  await page.getByText("How they have formed").click();
  await soon(() => drawings.count()).toBe(2);
  // What it draws are the two kinds: light on one side, dark on the other.
  const sides = `[...document.querySelectorAll(".exemplars canvas")].map((canvas) => {
    const copy = new OffscreenCanvas(8, 8).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, 8, 8);
    const at = (column) => data[4 * (3 * 8 + column)];
    return Math.sign(at(1) - at(6));
  }).sort()`;
  await soon(() => page.evaluate(sides)).toEqual([-1, 1]);
  // What it would take to be elsewhere is what stands for the other kind.
  await page.evaluate("location.hash += '&row=0'");
  const change = page.locator(".panel .change");
  await change.locator("canvas").waitFor();
  expect(await change.innerText()).toMatch(/have to look more like this: its center, decoded\.$/);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("pictures that are slow to come hold up no change: two are asked for at a time", async () => {
  const kmeans = { method: "kmeans", clusters: 2, device: "cpu", report: false } as const;
  await fitRun(join(folder, "shapes"), { ...kmeans, out: join(folder, "runs", "slow") });
  const { page, complaints } = await open("page=training");
  const held = new Map<Request, Route>();
  let isSlow = true;
  await page.route("**/picture.png*", async (route) => {
    if (isSlow) held.set(route.request(), route);
    else await route.continue();
  });
  // What scrolls out of sight is not asked for any more, and another has its turn.
  page.on("requestfailed", (request) => held.delete(request));
  await page.evaluate("location.hash = 'page=map&run=slow&cluster=0'");
  await soon(() => page.locator(".panel .gallery img").count()).toBeGreaterThan(2);
  await page.getByText("Change it").click();
  await page.getByLabel("Name").fill("light on the left");
  await page.getByRole("button", { name: "Rename" }).click();
  await soon(() => page.locator(".panel h2").innerText()).toContain("light on the left");
  await soon(() => held.size).toBe(2);

  // Once these are here, the others are.
  isSlow = false;
  await Promise.all([...held.values()].map((route) => route.continue()));
  const waiting = `[...document.querySelectorAll(".panel .gallery img")].filter(
    (image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight && image.naturalWidth < 8,
  ).length`;
  await soon(() => page.evaluate(waiting)).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("clusters are named and joined, each change says first what it does, and is taken back", async () => {
  const { page, complaints } = await open("page=map&run=four");
  const title = page.locator(".list h2");
  await soon(() => title.innerText()).toContain("4 clusters");
  await page.locator(".list li button").first().click();
  await page.getByText("Change it").click();
  await page.getByLabel("Name").fill("<b>ours</b>");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.locator(".history li").waitFor();
  await soon(() => page.locator(".panel h2").innerText()).toContain("<b>ours</b>");
  await page.getByRole("button", { name: "Merge" }).click();
  await page.locator("dialog[open]").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Do it" }).click();
  await soon(() => title.innerText()).toContain("3 clusters");
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(() => title.innerText()).toContain("4 clusters");
  await page.getByRole("button", { name: "Redo" }).click();
  await soon(() => title.innerText()).toContain("3 clusters");
  for (const rest of ["4 clusters", "4 clusters"]) {
    await page.getByRole("button", { name: "Undo" }).click();
    await soon(() => title.innerText()).toContain(rest);
    await soon(() => page.getByRole("button", { name: "Redo" }).isEnabled()).toBe(true);
  }
  await soon(() => page.locator(".list").innerText()).not.toContain("ours");
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** A run whose network learns from moved rows, and from which frames are kept. */
const taught = async (): Promise<void> => {
  await pumpsRun("taught", { clusters: 3, method: "telltale", options: { effort: "quick" } });
};

/** Answers the question that a change asks first. */
async function agreed(page: Page): Promise<string> {
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  const words = await dialog.innerText();
  await dialog.getByRole("button", { name: "Do it" }).click();
  await dialog.waitFor({ state: "detached" });
  return words;
}

test("a cluster is split, rows are moved and marked, a lasso becomes a cluster of its own, and all is taken back", async () => {
  await taught();
  const { page, complaints } = await open("page=map&run=taught");
  const title = page.locator(".list h2");
  await soon(() => title.innerText()).toContain("3 clusters");
  await page.locator(".list li button").first().click();
  await page.getByText("Change it").click();
  await page.getByLabel("Split into").fill("2");
  await page.getByRole("button", { name: "Split", exact: true }).click();
  expect(await agreed(page)).toContain("Split cluster 0?");
  await soon(() => title.innerText()).toContain("4 clusters");
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(() => title.innerText()).toContain("3 clusters");

  await page.evaluate("location.hash += '&row=4'");
  await page.locator(".panel .edits summary").click();
  await page.getByLabel("Mark as").fill("look again");
  await page.getByRole("button", { name: "Mark", exact: true }).click();
  await soon(() => page.locator(".panel .edits").innerText()).toContain("Marked: look again");
  await page.locator(".filters summary", { hasText: "marks" }).focus();
  for (const key of ["Enter", "Tab", "Space"]) await page.keyboard.press(key);
  await soon(() => chosen(page)).toBe("1 of 90");
  await page.keyboard.press("Space");
  await soon(() => page.url()).not.toContain("mark=");
  const own = Number(/cluster=?\s*(\d)|(\d)/.exec(await page.locator(".panel h2 .badge").innerText())![0]);
  await page.getByLabel("Move to").selectOption(String((own + 1) % 3));
  await page.getByRole("button", { name: "Move", exact: true }).click();
  expect(await agreed(page)).toContain(`Move 1 row to cluster ${(own + 1) % 3}?`);
  await soon(() => page.locator(".history li").first().innerText()).toMatch(/row/);
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(() => page.getByRole("button", { name: "Redo" }).isEnabled()).toBe(true);

  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Lasso" }).click();
  const { x, y, width, height } = (await page.locator(".chart canvas").boundingBox())!;
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  for (const [right, down] of [
    [width * 0.55, 5],
    [width * 0.55, height - 5],
    [5, height - 5],
  ] as const) {
    await page.mouse.move(x + right, y + down, { steps: 4 });
  }
  await page.mouse.up();
  await soon(() => chosen(page)).toMatch(/^\d+ of 90$/);
  await page.locator(".filters .edits summary").click();
  await page.getByLabel("New cluster").fill("the left ones");
  await page.getByRole("button", { name: "Group" }).click();
  const words = await agreed(page);
  expect(words).toMatch(/Make \d+ rows a cluster of their own\?/);
  // More than one in a thousand others would go along: then it is said.
  expect(/other rows? \(/.test(words)).toBe(words.includes("more than one in a thousand"));
  await soon(() => title.innerText()).toContain("4 clusters");
  await soon(() => page.locator(".list").innerText()).toContain("the left ones");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(() => title.innerText()).toContain("3 clusters");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("on a telephone, in the dark, rows are filtered, a cluster is opened, renamed, and the name taken back", async () => {
  const { page, complaints } = await open("page=map&run=four", {
    ...{ viewport: { width: 390, height: 800 }, colorScheme: "dark", hasTouch: true, isMobile: true },
  });
  await page.locator(".search input").fill("leak");
  await soon(() => chosen(page)).toBe("45 of 90");
  await page.getByRole("button", { name: "All rows" }).tap();
  await page.locator(".list li button").first().tap();
  const title = page.locator(".panel h2");
  const before = await title.innerText();
  await page.getByText("Change it").tap();
  await page.getByLabel("Name").fill("small ones");
  await page.getByRole("button", { name: "Rename" }).tap();
  await soon(() => title.innerText()).toContain("small ones");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).tap();
  await soon(() => page.locator(".list").innerText()).not.toContain("small ones");
  await page.locator(".list li button").first().tap();
  await soon(() => title.innerText()).toBe(before);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** What a page can try against another server: to read, to write, to show it. How each has ended is a word. */
const tries = (origin: string): string => `(async () => {
  const edit = JSON.stringify({ edit: { kind: "rename", cluster: 0, name: "owned" }, version: 0 });
  const server = ${JSON.stringify(origin)};
  const asked = (path, more) => fetch(server + path, { credentials: "include", ...more }).then(() => "done");
  const written = (type, mode) =>
    asked("/api/runs/pumps/curation", { method: "POST", mode, headers: { "Content-Type": type }, body: edit });
  const shown = (name, path) => new Promise((told, refused) => {
    const element = document.createElement(name);
    Object.assign(element, { onload: () => told("done"), onerror: refused, src: server + path });
    document.body.append(element);
  });
  const heard = () => new Promise((told, refused) => {
    const stream = new EventSource(server + "/api/events", { withCredentials: true });
    Object.assign(stream, { onopen: () => told("done"), onerror: () => refused(stream.close()) });
  });
  const waited = () => new Promise((told) => setTimeout(() => told("waits"), 10_000));
  const ways = {
    read: () => asked("/api/runs"),
    unseen: () => asked("/api/runs", { mode: "no-cors" }),
    json: () => written("application/json", "cors"),
    text: () => written("text/plain", "no-cors"),
    script: () => shown("script", "/api/runs"),
    picture: () => shown("img", "/api/runs/pumps/clusters/0/exemplar.png"),
    stream: heard,
  };
  const ends = Object.entries(ways).map(async ([name, way]) =>
    [name, await Promise.race([way().catch(() => "refused"), waited()])]);
  return Object.fromEntries(await Promise.all(ends));
})()`;

test("a page of another origin, in the browser of somebody who is in session, can neither read nor write", async () => {
  const elsewhere = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>Elsewhere</title><body>");
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const log = async () => JSON.parse((await client.get("/api/runs/pumps/curation")).text) as object;
  const before = await log();
  const { page } = await open("page=table&run=pumps");
  // The page's own may: so that what follows is refused for where it comes from.
  expect(await page.evaluate("fetch('/api/runs').then(({ ok }) => ok)")).toBe(true);
  // The same machine by its number is the same site, whose cookie is sent; by its name it is another.
  for (const name of ["127.0.0.1", "localhost"]) {
    await page.goto(`http://${name}:${port}/`);
    const found = (await page.evaluate(tries(client.origin))) as Readonly<Record<string, string>>;
    expect(Object.entries(found).filter(([, end]) => end !== "refused")).toEqual([]);
    expect(Object.keys(found)).toHaveLength(7);
    const framed = page.waitForResponse(`${client.origin}/`);
    await page.setContent(`<iframe src="${client.origin}/"></iframe>`);
    expect((await framed).status()).toBe(403);
    // A form goes where it is sent, with the cookie where the site is the same; and is refused there.
    const action = `${client.origin}/api/runs/pumps/curation`;
    const sent = page.waitForResponse(action);
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${action}">` +
        `<input name='{"edit":{"kind":"rename","cluster":0,"name":"owned"},"version":0,"a":"' value='"}'></form>`,
    );
    await page.evaluate("document.forms[0].submit()");
    expect((await sent).status()).toBe(403);
    await page.waitForURL(action);
  }
  expect(await log()).toEqual(before);
  await page.context().close();
  elsewhere.close();
});

test("rows go along as Parquet, and the model as ONNX", async () => {
  const { page, complaints } = await open();
  const saved = async (name: string): Promise<Buffer> => {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name, exact: true }).click();
    return readFile((await (await saving).path())!);
  };
  await page.locator(".search input").fill("leak");
  await soon(() => chosen(page)).toBe("45 of 90");
  const rows = await saved("Parquet");
  expect([rows.subarray(0, 4).toString(), rows.subarray(-4).toString()]).toEqual(["PAR1", "PAR1"]);
  const model = await saved("Model");
  expect(model.equals(await readFile(`${folder}/runs/pumps/model.onnx`))).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
});
