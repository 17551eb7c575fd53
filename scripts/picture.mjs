/**
 * Draws which folder of src/ imports which into docs/architecture.md, from the code itself.
 * With --check it writes nothing and fails if the picture there is not the one it would draw.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const { default: config } = await import("../.dependency-cruiser.mjs");
const { output } = await cruise(["src"], { ...config.options, exclude: { path: "node_modules" } });

/** src/graph/node.ts belongs to graph; src/index.ts is itself. */
const folder = (path) => /^src\/([^/]+)/.exec(path)?.[1].replace(".", "_");
const edges = new Set();
for (const { source, dependencies } of output.modules) {
  for (const { resolved } of dependencies) {
    const [from, to] = [folder(source), folder(resolved)];
    if (from && to && from !== to) edges.add(`  ${from} --> ${to}`);
  }
}
if (edges.size === 0) throw new Error("picture: no imports were found; is TypeScript 6 installed?");
const label = (name) => (name.endsWith("_ts") ? `  ${name}(["${name.replace("_", ".")}"])` : undefined);
const names = [...new Set([...edges].flatMap((edge) => edge.trim().split(" --> ")))].sort();
const drawing = ["```mermaid", "flowchart TD", ...names.map(label).filter(Boolean), ...[...edges].sort(), "```"].join(
  "\n",
);

const page = "docs/architecture.md";
const before = readFileSync(page, "utf8");
const after = before.replace(
  /<!-- picture -->[\s\S]*<!-- \/picture -->/,
  `<!-- picture -->\n${drawing}\n<!-- /picture -->`,
);
if (process.argv.includes("--check")) {
  if (after === before) process.exit(0);
  console.error(`${page}: the picture is not that of the code; run npm run picture`);
  process.exit(1);
}
writeFileSync(page, after);
