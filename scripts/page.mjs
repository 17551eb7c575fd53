/**
 * The page of `telltale view`: src/page, bundled into dist/page, from where the server hands it out and the package
 * ships it. Built anew only when a source is newer, since every command begins with it.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "dist/page");

/** What the page is made of, and what it shares with the server and the report. */
const sources = [
  ...["src/page", "src/api", "src/report/browser", "src/report/parts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
  ),
  join(root, "package-lock.json"),
  fileURLToPath(import.meta.url),
];

export async function buildPage() {
  const built = join(output, "index.html");
  if (existsSync(built) && sources.every((source) => statSync(source).mtimeMs <= statSync(built).mtimeMs)) return;
  const { build } = await import("vite");
  const part = `${output}.part`;
  await build({
    root: join(root, "src/page"),
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    // Addresses without a beginning: the same files work from any folder.
    base: "./",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    worker: { format: "es" },
    build: {
      outDir: part,
      emptyOutDir: true,
      target: "es2022",
      modulePreload: false,
      // Nothing inside of the style or the script that the page's policy would have to allow.
      assetsInlineLimit: 0,
      // It would put `font` behind `font-variant-numeric`, which `font` then undoes.
      cssMinify: false,
    },
  });
  // Whole or not at all: half of it would be newer than its sources as well.
  rmSync(output, { recursive: true, force: true });
  renameSync(part, output);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
