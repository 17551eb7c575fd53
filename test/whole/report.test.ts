/** Reports in a browser: nothing is asked for, nothing is complained about, everyone can read them. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportPage } from "../../src/report/reportPage.ts";
import { attempts, hostileReport } from "../report/hostile.ts";
import { sample } from "../report/sample.ts";
import { launchChromium } from "../support/chromium.ts";

const reports = {
  pictures: sample({ kind: "pictures", clusters: 4 }),
  table: sample({ kind: "table" }),
  "many vectors": sample({ kind: "vectors", clusters: 40 }),
};

const all = Object.values(attempts).join(" ");

let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-report-"));
  for (const [name, data] of Object.entries(reports)) await writeFile(join(folder, `${name}.html`), reportPage(data));
  for (const [name, text] of Object.entries({ ...attempts, all, harmless: "harmless" })) {
    await writeFile(join(folder, `${name}.html`), reportPage(hostileReport(text)));
  }
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** What the page asked for beside itself, and what it complained about. */
  readonly requests: string[];
  readonly complaints: string[];
}

async function open(
  name: string,
  colorScheme: "light" | "dark",
  width = 1200,
  javaScriptEnabled = true,
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, javaScriptEnabled });
  const page = await context.newPage();
  const address = pathToFileURL(join(folder, `${name}.html`)).href;
  const [requests, complaints]: [string[], string[]] = [[], []];
  // That pixels are read back is the test's own doing.
  page.on("console", (message) => message.text().startsWith("Canvas2D") || complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === address || url.startsWith("data:")) return route.continue();
    requests.push(url);
    return route.abort();
  });
  await page.goto(address);
  return { page, requests, complaints };
}

/** What is wrong, by axe's rules, and where. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
  const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

describe.each(Object.keys(reports))("a report on %s", (name) => {
  test.each(["light", "dark"] as const)("is quiet and readable in the %s theme, wide and narrow", async (scheme) => {
    for (const width of [1200, 360]) {
      const { page, requests, complaints } = await open(name, scheme, width);
      // Closed cards are read as well, as long as axe does not take minutes for it.
      await page.evaluate("for (const one of [...document.querySelectorAll('details')].slice(0, 4)) one.open = true");
      expect(await violations(page)).toEqual([]);
      expect([requests, complaints]).toEqual([[], []]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.context().close();
    }
  });

  test("shows its map without a script, and on paper", async () => {
    const { page } = await open(name, "light", 1200, false);
    expect(await page.locator(".sketch").isVisible()).toBe(true);
    expect(await page.locator("canvas").isVisible()).toBe(false);
    expect(await page.locator("#theme").isVisible()).toBe(false);
    await page.context().close();
    const printed = await open(name, "dark");
    await printed.page.emulateMedia({ media: "print" });
    expect(await printed.page.locator(".sketch").isVisible()).toBe(true);
    expect(await printed.page.locator("canvas").isVisible()).toBe(false);
    expect(await printed.page.locator("nav").isVisible()).toBe(false);
    await printed.page.context().close();
  });
});

test("on a phone what a column holds, and why it is used, are words and no letters one below the other", async () => {
  const data = reports.table;
  const column = {
    role: "feature",
    isUsed: true,
    type: "text",
    missing: 0,
    distinct: 2,
    reason: "two values",
  } as const;
  const top = [["Original Screenplay", 0.5] as const, ["Based on a Book", 0.5] as const];
  const table = [{ ...column, name: "Source", top }];
  const [first, ...others] = data.clusters;
  const apart = { feature: 0, here: 302_469, there: 49_600_000, effect: -0.79 };
  const distinguishing = [
    { ...apart, name: "Production Budget" },
    { ...apart, name: "MPAA Rating", said: ["mostly R, 57 %", "R 45 %, PG-13 36 %"] as const },
  ];
  const typical = first!.typical.map((row) => ({ ...row, text: "The Missing Person" }));
  const clusters = [{ ...first!, distinguishing, typical }, ...others];
  await writeFile(join(folder, "columns.html"), reportPage({ ...data, clusters, source: { ...data.source, table } }));
  const { page } = await open("columns", "light", 390);
  const widths = await page.evaluate("[...document.querySelectorAll('.columns tbody td')].map((td) => td.offsetWidth)");
  expect(Math.min(...(widths as number[]).slice(-2))).toBeGreaterThan(100);
  // Cards hide nothing to the right.
  const beyond =
    "[...document.querySelectorAll('.cards .wide')].filter((one) => one.scrollWidth > one.clientWidth + 1)";
  expect(await page.evaluate(`${beyond}.map((one) => one.innerText)`)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.context().close();
});

test("the map draws its points, and one cluster alone; the theme changes and stays", async () => {
  const { page, complaints } = await open("table", "light");
  const inks = (): Promise<unknown> =>
    page.evaluate(`(() => {
      const canvas = document.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const near = (at, [r, g, b]) => Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 120;
      const colors = [0, 1, 2].map((i) => getComputedStyle(document.documentElement).getPropertyValue("--c" + i).trim());
      return colors.map((hex) => {
        const rgb = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
        for (let at = 0; at < data.length; at += 4) if (near(at, rgb)) return true;
        return false;
      });
    })()`);
  expect(await inks()).toEqual([true, true, true]);
  await page.locator(".key button").nth(1).click();
  await page.mouse.move(0, 0);
  await expect.poll(inks).toEqual([false, true, false]);
  expect(await page.locator("#under").textContent()).toContain("cluster 1 (high weight (kg)): 40 rows");
  await page.keyboard.press("Escape");
  await expect.poll(inks).toEqual([true, true, true]);

  await page.locator("#theme").click();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(18, 23, 28)");
  await page.reload();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** How many elements of each kind a page has; long names may be broken. */
const elements = `(() => {
  const counts = {};
  for (const { localName } of document.querySelectorAll("*:not(wbr)")) counts[localName] = (counts[localName] ?? 0) + 1;
  return counts;
})()`;

test.each([...Object.keys(attempts), "all"])("names that try to be %s stay names", async (name) => {
  const harmless = await open("harmless", "light");
  const wanted = await harmless.page.evaluate(elements);
  await harmless.page.context().close();
  const { page, requests, complaints } = await open(name, "light");
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  expect(await page.evaluate(elements)).toEqual(wanted);
  // Everything that can be opened, pointed at and pressed.
  await page.evaluate(`(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    for (const one of document.querySelectorAll("body *")) {
      for (const kind of ["mouseover", "focus", "pointerenter", "click"]) one.dispatchEvent(new Event(kind, { bubbles: true }));
    }
  })()`);
  await page.locator("#theme").click();
  expect(await page.evaluate("typeof ran")).toBe("undefined");
  expect(
    await page.evaluate("[...document.links].filter((link) => !link.getAttribute('href').startsWith('#')).length"),
  ).toBe(0);
  expect([requests, complaints, dialogs]).toEqual([[], [], []]);
  const text = ((name === "all" ? all : attempts[name]!) as string).slice(0, 12).replaceAll(/\s+/g, " ");
  if (name !== "what nobody sees") expect((await page.locator("h1").innerText()).slice(0, 12)).toBe(text);
  await page.context().close();
});

test("a script that is not ours does not run, even where somebody has put it into the file", async () => {
  const own = reportPage(reports.table);
  const more = `<script>document.title = "ran"</script><img src="data:," onerror="document.title='ran'"></body>`;
  await writeFile(join(folder, "changed.html"), own.replace("</body>", more));
  const { page, complaints } = await open("changed", "light");
  expect(await page.title()).toBe("sample – Telltale");
  expect(complaints.filter((text) => text.includes("Content Security Policy")).length).toBeGreaterThan(0);
  await page.context().close();
});

test("a link to a closed card opens it", async () => {
  const { page } = await open("many vectors", "light");
  await page.evaluate("location.hash = '#cluster-33'");
  await expect.poll(() => page.evaluate("document.getElementById('cluster-33').open")).toBe(true);
  await page.context().close();
});
