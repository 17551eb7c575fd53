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

/** src/graph/node.ts belongs to graph/; src/index.ts is itself. */
const placeOf = (path) => /^src\/([^/]+\/|[^/]+$)/.exec(path)?.[1];
const edges = new Set();
for (const { source, dependencies } of output.modules) {
  for (const { resolved } of dependencies) {
    const [from, to] = [placeOf(source), placeOf(resolved)];
    if (from && to && from !== to) edges.add(`${from} ${to}`);
  }
}
if (edges.size === 0) throw new Error("picture: no imports were found; is TypeScript 6 installed?");

// Mermaid takes `graph` for one of its own words: identifiers are numbered, names are labels.
const places = [...new Set([...edges].flatMap((edge) => edge.split(" ")))].sort();
const id = (place) => `p${places.indexOf(place)}`;
const boxes = places.map((place) => `  ${id(place)}["${place}"]`);
const arrows = [...edges].sort().map((edge) => `  ${edge.split(" ").map(id).join(" --> ")}`);
const drawing = ["```mermaid", "flowchart TD", ...boxes, ...arrows, "```"].join("\n");

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
