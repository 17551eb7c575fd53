/**
 * How fast is the map, without a graphics processor? A million points in Chromium, computed by the processor alone:
 * time to the first picture, frames per second while panning, hover, memory. regl-scatterplot and deck.gl draw the same
 * points in the same browser; they are installed into a temporary folder, which is removed.
 *
 * usage: npm run -s bench -- view [--points 1000000] [--seconds 5] [--only ours,regl,deck] [--out
 * bench/results/view.json]
 */

import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, loadavg, tmpdir } from "node:os";
import { extname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { commitOf } from "./commit.ts";

/** What is compared: the page that draws it, and which of our renderers. */
const drawn = {
  ours: { page: "ours" },
  "ours, WebGL": { page: "ours", renderer: "webgl" },
  regl: { page: "regl" },
  deck: { page: "deck" },
} as const;
const peers = ["regl-scatterplot@1.16.0", "@deck.gl/core@9.4.0", "@deck.gl/layers@9.4.0"];
/** In seconds; who has not answered by then is given up. */
const patience = 420;
const types: Record<string, string> = { ".js": "text/javascript", ".html": "text/html" };
const root = fileURLToPath(new URL("../", import.meta.url)).replace(/dist[\\/]$/, "");

export async function view(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      points: { type: "string", default: "1000000" },
      seconds: { type: "string", default: "5" },
      only: { type: "string", default: Object.keys(drawn).join() },
      out: { type: "string", default: "bench/results/view.json" },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "telltale-view-"));
  try {
    await buildPages(folder);
    const server = createServer(async (request, response) => {
      const path = request.url === "/" ? "/index.html" : (request.url ?? "");
      response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
      response.end(await readFile(join(folder, "built", path)).catch(() => ""));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const results: Record<string, unknown> = {};
    const browser = await browserVersion();
    for (const name of options.only.split(/,(?! )/) as (keyof typeof drawn)[]) {
      results[name] = await measured(address, name, Number(options.points), Number(options.seconds));
      console.error(`view: ${name}: ${JSON.stringify(results[name])}`);
    }
    server.close();
    const result = {
      points: Number(options.points),
      seconds: Number(options.seconds),
      ...{ browser, peers, cores: cpus().length, load: loadavg().map((load) => Number(load.toFixed(1))) },
      results,
      commit: commitOf(),
      command: `bench view ${parameters.join(" ")}`.trim(),
    };
    await writeFile(options.out, `${JSON.stringify(result, null, 2)}\n`);
    console.log(JSON.stringify(result, null, 2));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One page that loads whichever is asked for, with the packages that are compared. */
async function buildPages(folder: string): Promise<void> {
  await writeFile(join(folder, "package.json"), "{}");
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...peers];
  execFileSync("npm", install, { cwd: folder, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  // Beside the packages, so that they are found from there.
  await cp(join(root, "bench/view"), join(folder, "bench/view"), { recursive: true });
  await cp(join(root, "src/page/points"), join(folder, "src/page/points"), { recursive: true });
  await cp(join(root, "node_modules/kdbush"), join(folder, "node_modules/kdbush"), { recursive: true });
  const style = "html,body{margin:0}canvas{display:block;width:100vw;height:100vh}";
  const script = `globalThis.load = (name) => ({ ${["ours", "regl", "deck"]
    .map((name) => `${name}: () => import("./bench/view/${name}.mjs")`)
    .join(", ")} })[name]();`;
  await writeFile(join(folder, "entry.mjs"), script);
  await writeFile(
    join(folder, "index.html"),
    `<!doctype html><style>${style}</style><canvas></canvas><script type="module" src="./entry.mjs"></script>`,
  );
  await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    base: "./",
    worker: { format: "es" },
    build: { outDir: join(folder, "built"), target: "es2022" },
  });
}

async function launched(): Promise<Browser> {
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs20.x";
  const executablePath = process.env.CHROMIUM ?? (await (await import("@sparticuz/chromium")).default.executablePath());
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

async function browserVersion(): Promise<string> {
  const browser = await launched();
  const version = browser.version();
  await browser.close();
  return `Chromium ${version}`;
}

/** No digits that another run would not have. */
function rounded(told: object): object {
  const short = (value: unknown): unknown => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  return Object.fromEntries(Object.entries(told).map(([key, value]) => [key, short(value)]));
}

/** In a browser of its own, so that one does not pay for another. */
async function measured(address: string, name: keyof typeof drawn, count: number, seconds: number): Promise<unknown> {
  const browser = await launched();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    await page.waitForFunction("globalThis.load");
    const before = await memory();
    const { page: which, ...more } = { renderer: undefined, ...drawn[name] };
    const asked = JSON.stringify({ count, seconds, ...more });
    const told = await Promise.race([
      page.evaluate(`load("${which}").then(({ run }) => run(${asked}))`) as Promise<object>,
      setTimeout(1000 * patience, { problem: `no answer within ${patience} s` }, { ref: false }),
    ]);
    return { ...rounded(told), megabytes: Math.round((await memory()) - before) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.split("\n")[0] : String(error) };
  } finally {
    await browser.close();
  }
}

/** What this process's children hold, in megabytes; 0 where the system does not say. */
async function memory(): Promise<number> {
  const processes = await readdir("/proc").catch(() => []);
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  for (const name of processes.filter((entry) => /^\d+$/.test(entry))) {
    const [stat, status] = await Promise.all(
      ["stat", "status"].map((file) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "")),
    );
    parents.set(Number(name), Number(/\) \S (\d+)/.exec(stat!)?.[1] ?? 0));
    resident.set(Number(name), Number(/VmRSS:\s+(\d+)/.exec(status!)?.[1] ?? 0));
  }
  const isOurs = (one: number): boolean => one === process.pid || (one > 1 && isOurs(parents.get(one) ?? 0));
  let sum = 0;
  for (const [one, kilobytes] of resident) if (one !== process.pid && isOurs(one)) sum += kilobytes / 1024;
  return sum;
}
