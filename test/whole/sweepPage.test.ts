/** A sweep that goes on, in the page of `telltale view`, in a real browser. */

import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SweepJob } from "../../src/run/sweep/sweepJob.ts";
import { type Client, folder, inside, pumpsFile, served } from "../server/support.ts";
import { launchChromium } from "../support/chromium.ts";
import { violations } from "../support/violations.ts";

const out = join(folder, "pumps-sweep");
const tiny = { hidden: [8], latent: 2, batch: 10, pretraining: 2, restarts: 1 };
let jobs: readonly SweepJob[];
let browser: Browser;
let client: Client;

beforeAll(async () => {
  const rows = { columns: ["pressure", "flow"] };
  const short = await inside.planSweep(await pumpsFile(), { methods: ["kmeans"], clusters: [2, 3], seeds: [1], rows });
  const [first] = short as [SweepJob];
  jobs = [
    ...short,
    { ...first, name: "3-lost", source: join(folder, "nowhere.csv") },
    { ...first, name: "4-endless", method: "tell", options: { ...tiny, epochs: 100_000 } },
  ];
  await inside.beginSweep(out, jobs);
  client = await served({ paths: [out], out: `${folder}/runs` });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await client?.server.close();
});

/** What holds sooner or later; how soon depends on the machine. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 60_000 });

const sweepOf = (page: Page) => page.getByRole("article", { name: "Sweep pumps-sweep" });
const counts = (page: Page) => sweepOf(page).locator("p").first().innerText();

test("it is in the list of runs, goes on there while others work on it, and says which run to use", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  const [elsewhere, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    if (!request.url().startsWith(client.origin)) elsewhere.push(request.url());
  });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(client.server.address);
  await soon(() => counts(page)).toBe("0 of 4 jobs done, 4 waiting");
  expect(await page.locator(".runs button.card").count()).toBe(0);

  const stop = new AbortController();
  const working = inside.workSweep(jobs, { out, workers: 1, signal: stop.signal });
  const stopped = expect(working).rejects.toThrow("enough");
  await soon(() => counts(page)).toBe("2 of 4 jobs done, 1 under way, 1 failed");
  await soon(() => page.locator(".runs button.card").count()).toBe(2);
  const [underWay, failed] = [sweepOf(page).locator("li").first(), sweepOf(page).locator("li").last()];
  await soon(() => underWay.innerText()).toMatch(
    /^under way 4-endless (pretraining|clustering) [\d,]+\/[\d,]+ on \S+$/,
  );
  const before = await underWay.innerText();
  await soon(() => underWay.innerText()).not.toBe(before);
  expect(await failed.innerText()).toMatch(/^failed 3-lost .*nowhere\.csv: there is no such file on \S+$/);

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), `${colorScheme} ${width}`).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      const { SCREENSHOTS: screenshots } = process.env;
      if (screenshots) await page.screenshot({ path: `${screenshots}/sweep-${colorScheme}-${width}.png` });
    }
  }

  // A run that is done opens as any other does, while the rest goes on.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator(".runs button.card").first().click();
  await page.locator(".list li button").first().waitFor();
  await page.goBack();
  stop.abort(new Error("enough"));
  await stopped;
  await soon(() => counts(page)).toBe("2 of 4 jobs done, 1 waiting, 1 failed");

  const { best, clusters } = await inside.collectSweep(out);
  const recommended = sweepOf(page).getByRole("button");
  await soon(() => recommended.allInnerTexts()).toEqual([best]);
  expect(await violations(page)).toEqual([]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/sweep-collected.png` });
  await recommended.click();
  await page.locator(".list li button").first().waitFor();
  expect(await page.locator(".list li button").count()).toBe(clusters);
  expect([elsewhere, complaints]).toEqual([[], []]);
  await context.close();
});
