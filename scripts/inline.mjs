/**
 * What runs in a report and what it looks like, src/report/browser, as texts that a page can hold:
 * src/report/inlined.ts. Written anew only when a source is newer, since every command begins with it.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const browser = join(root, "src/report/browser");
const output = join(root, "src/report/inlined.ts");

/** What src/report/inlined.ts exports, and the file that each text begins with. */
const texts = {
  earlyScript: { entry: "early.ts", about: "In the head, before anything is drawn." },
  pageScript: { entry: "page.ts", about: "At the end of every report." },
  mapScript: { entry: "map.ts", about: "At the end of a report that has a map." },
  style: { entry: "styles/report.css", about: "All that a report looks like." },
};

/** What the texts are made of: whatever of it is newer than they are makes them old. */
const sources = [
  ...readdirSync(browser, { recursive: true }).map((name) => join(browser, name)),
  join(root, "src/report/parts/pointBytes.ts"),
  join(root, "package-lock.json"),
  fileURLToPath(import.meta.url),
];

export async function inline() {
  if (existsSync(output) && sources.every((source) => statSync(source).mtimeMs <= statSync(output).mtimeMs)) return;
  const lines = [
    "/** The scripts and the style of a report, made of src/report/browser by scripts/inline.mjs: edit the files there. */",
  ];
  const hashes = [];
  for (const [name, { entry, about }] of Object.entries(texts)) {
    const text = await bundled(entry);
    checkInlinable(entry, text);
    lines.push("", `/** ${about} */`, `export const ${name}: string =`, `  ${JSON.stringify(text)};`);
    if (entry.endsWith(".ts")) hashes.push(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  lines.push("", "/** The scripts as a page's policy names them: no other runs. */");
  lines.push("export const scriptHashes: string =", `  ${JSON.stringify(hashes.join(" "))};`);
  // Whole or not at all: half of it would be newer than its sources as well.
  writeFileSync(`${output}.part`, `${lines.join("\n")}\n`);
  renameSync(`${output}.part`, output);
}

/** One text without imports: a script that keeps its names to itself, or a style sheet. */
async function bundled(entry) {
  // Only where there is something to do: it takes as long to load as to bundle.
  const { build } = await import("vite");
  const isStyle = entry.endsWith(".css");
  const built = await build({
    root,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      // It would put `font` behind `font-variant-numeric`, which `font` then undoes.
      cssMinify: false,
      modulePreload: false,
      rolldownOptions: { input: join(browser, entry), output: { format: isStyle ? "es" : "iife" } },
    },
  });
  const [file, ...others] = built.output.filter(({ fileName }) => fileName.endsWith(isStyle ? ".css" : ".js"));
  if (!file || others.length > 0) throw new Error(`inline: ${entry} must become one file, got ${built.output.length}`);
  return isStyle ? compactStyle(String(file.source)) : file.code.trim();
}

/** Without comments and without the white space that means nothing. */
export function compactStyle(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;}/g, "}")
    .trim();
}

/**
 * Inside of an element a text must not end it, nor begin a comment, whatever it is to the language it is written in.
 */
export function checkInlinable(name, text) {
  const [found] = /<\/(script|style)|<!--/i.exec(text) ?? [];
  if (found) {
    throw new RangeError(`inline: ${name} must not contain ${found}, which would end the element that it stands in`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await inline();
