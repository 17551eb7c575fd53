/**
 * The recipes of docs/bundlers.md in the bundlers themselves: installs webpack, Next.js and Vite 6 and 7 into a
 * temporary folder, builds the page with each, and opens it in Chromium. After npm run build:
 *
 * usage: node bench/peers/bundlers.mjs [webpack|next|vite6|vite7 …]
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(`${root}docs/bundlers.md`, "utf8");
const block = (language) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)[1];
const folder = mkdtempSync(join(tmpdir(), "telltale-peers-"));
const put = (name, text) => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const run = (...words) => execFileSync("npx", words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
const module = (script) => `<!doctype html><body><script type="module" src="${script}"></script></body>`;

/** Each builds or serves the page, and gives its address and what ends it. */
const bundlers = {
  webpack: async () => {
    put("webpack.config.mjs", block("cjs"));
    run("webpack", "-c", "webpack.config.mjs");
    return served("dist", module("/main.mjs"));
  },
  next: async () => {
    put("next.config.mjs", block("next"));
    put("app/page.js", block("jsx"));
    put("app/layout.js", 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n');
    run("next", "build");
    return started("next", "start", "-p", "4601");
  },
  vite6: async () => started("vite6", "--port", "4601", "--host", "127.0.0.1"),
  vite7: async () => started("vite7", "--port", "4601", "--host", "127.0.0.1"),
};

async function served(place, html) {
  const types = { ".mjs": "text/javascript", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    response.setHeader("Content-Type", types[extname(path)] ?? "text/html");
    response.end(path === "/" ? html : readFileSync(join(folder, place, path)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, end: () => server.close() };
}

async function started(name, ...words) {
  const [program, bin] = /vite/.test(name) ? [name, "bin/vite.js"] : [name, "dist/bin/next"];
  const child = spawn(process.execPath, [join(folder, "node_modules", program, bin), ...words], { cwd: folder });
  await new Promise((resolve) => setTimeout(resolve, 8000));
  return { address: "http://127.0.0.1:4601/", end: () => child.kill() };
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(bundlers);
let failed = false;
try {
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  put("package.json", '{ "name": "app", "private": true, "type": "module" }');
  put("index.html", module("/main.js"));
  put("main.js", block("js"));
  put("worker.js", block("javascript"));
  put("vite.config.mjs", block("mjs"));
  const peers = ["webpack", "webpack-cli", "next", "react", "react-dom", "vite6@npm:vite@6", "vite7@npm:vite@7"];
  const packages = [`./telltale-${version}.tgz`, ...peers];
  execFileSync("npm", ["install", "--silent", "--ignore-scripts", "--no-audit", ...packages], { cwd: folder });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  for (const name of wanted) {
    const { address, end } = await bundlers[name]();
    const tab = await browser.newPage();
    await tab.goto(address);
    const found = await tab
      .waitForFunction("document.body.innerText.startsWith('found')", undefined, { timeout: 60_000 })
      .then(
        () => tab.innerText("body"),
        (error) => error.message.split("\n")[0],
      );
    const installed = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
    console.log(`${found === "found 2 clusters" ? "✓" : "✗"} ${name} ${installed}: ${found}`);
    failed ||= found !== "found 2 clusters";
    await tab.close();
    end();
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
