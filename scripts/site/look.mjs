/** Every page of the site in a real browser, wide and narrow, light and dark: what axe finds, and who else is asked. */

import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};
const looks = [1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ width, colorScheme })));

/** A sentence for each fault; with a folder, a picture of each page as well. */
export async function faultsSeen(site, pages, pictures) {
  const server = createServer(({ url }, answer) => {
    const path = join(site, decodeURIComponent(new URL(url, "http://localhost").pathname));
    const file = [path, `${path}.html`, join(path, "index.html")].find(
      (each) => existsSync(each) && statSync(each).isFile(),
    );
    answer.writeHead(file ? 200 : 404, { "Content-Type": types[extname(file ?? "")] ?? "application/octet-stream" });
    answer.end(file && readFileSync(file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${server.address().port}`;
  const browser = await launched();
  const faults = new Set();
  try {
    for (const { width, colorScheme } of looks) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      page.on("request", (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
          faults.add(`asks ${request.url()}`);
      });
      page.on("pageerror", (error) => faults.add(`${page.url().slice(origin.length)}: ${error.message}`));
      for (const name of pages) {
        await page.goto(`${origin}/${name}`, { waitUntil: "load" });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        for (const { id, nodes } of violations)
          faults.add(`${name}, ${width} ${colorScheme}: ${id}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 1) faults.add(`${name}, ${width}: is ${wide} pixels too wide`);
        if (pictures)
          await page.screenshot({ path: join(pictures, `${name.replaceAll("/", "-")}-${width}-${colorScheme}.png`) });
      }
      await context.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
  return [...faults];
}

/** The machine's own Chromium (CHROMIUM says where), or the one that comes as an npm package. */
async function launched() {
  // The package unpacks the libraries that a bare Linux lacks only where it believes itself on Amazon's.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs20.x";
  const executablePath = process.env.CHROMIUM ?? (await (await import("@sparticuz/chromium")).default.executablePath());
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
