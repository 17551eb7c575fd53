/** The checks that need no test: types, layering, lint, unused code, and what the docs say about the code. Runs all, then fails if one failed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const checks = {
  types: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"],
  "types without Node": ["node_modules/typescript/bin/tsc", "-p", "tsconfig.library.json"],
  "types of pages": ["node_modules/typescript/bin/tsc", "-p", "tsconfig.browser.json"],
  layering: ["node_modules/dependency-cruiser/bin/dependency-cruise.mjs", "--config", ".dependency-cruiser.mjs", "src"],
  lint: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
  unused: ["node_modules/knip/bin/knip.js", "--no-progress"],
  picture: ["scripts/picture.mjs", "--check"],
  equations: ["scripts/equations.mjs"],
  options: ["scripts/options.mjs", "--check"],
};

let failed = 0;
for (const [name, [tool, ...parameters]] of Object.entries(checks)) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}${tool}`, ...parameters], {
    cwd: root,
    encoding: "utf8",
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (status !== 0) {
    failed++;
    console.log(`${stdout}${stderr}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
