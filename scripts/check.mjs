/**
 * The checks that need no test: types, layering, lint, unused code, and what the docs say about the code. Runs all,
 * then fails if one failed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What was checked before and has not changed is not checked again. */
function remembering(name) {
  return ["--incremental", "--tsBuildInfoFile", `dist/.types-${name}.tsbuildinfo`];
}

const checks = {
  types: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json", ...remembering("all")],
  "types without Node": ["node_modules/typescript/bin/tsc", "-p", "tsconfig.library.json", ...remembering("library")],
  "types of pages": ["node_modules/typescript/bin/tsc", "-p", "tsconfig.browser.json"],
  layering: ["node_modules/dependency-cruiser/bin/dependency-cruise.mjs", "--config", ".dependency-cruiser.mjs", "src"],
  lint: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
  unused: ["node_modules/knip/bin/knip.js", "--no-progress"],
  picture: ["scripts/picture.mjs", "--check"],
  equations: ["scripts/equations.mjs"],
  options: ["scripts/options.mjs", "--check"],
  openapi: ["scripts/openapi.mjs", "--check"],
};

/** Runs one and says how it went; what it printed only where it failed. */
async function passes(name, [tool, ...parameters]) {
  const started = performance.now();
  const child = spawn(process.execPath, [`${root}${tool}`, ...parameters], { cwd: root });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  const [status] = await once(child, "close");
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (status !== 0) console.log(printed);
  return status === 0;
}

/** Two at a time: most of them use one processor. */
const waiting = Object.entries(checks);
const results = [];
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await passes(...next));
}
await Promise.all([work(), work()]);
process.exit(results.every(Boolean) ? 0 : 1);
