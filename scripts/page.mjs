/**
 * The page of `telltale view`: src/page, bundled into dist/page, from where the server hands it out; into dist/tab, the
 * page without a server; into dist/look, the page that is one file. The package ships them. Each is built anew only
 * when a source is newer, since every command begins with it.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkInlinable } from "./inline.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = join(root, "dist/page");
const [tabOutput, lookOutput] = [join(root, "dist/tab"), join(root, "dist/look")];
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What the page is made of, and what it shares with the server and the report. */
const sources = [
  ...["src/page", "src/api", "src/report/browser", "src/report/parts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
  ),
  join(root, "package-lock.json"),
  fileURLToPath(import.meta.url),
];

/** The library is in it as well where the page trains by itself: any of it makes the page without a server old. */
const librarySources = readdirSync(join(root, "src"), { recursive: true })
  .filter((name) => name.endsWith(".ts") && !/^(cli|server|run|files|disk|worker)\b/.test(name))
  .map((name) => join(root, "src", name));

function isFresh(built, made) {
  return existsSync(built) && made.every((source) => statSync(source).mtimeMs <= statSync(built).mtimeMs);
}

export async function buildPage() {
  if (!isFresh(join(output, "index.html"), sources)) await bundle(output, {});
  if (!isFresh(join(lookOutput, "page.js"), sources)) await bundleAlone();
  if (isFresh(join(tabOutput, "index.html"), [...sources, ...librarySources])) return;
  await bundle(tabOutput, {
    root: join(root, "src/page/tab"),
    define: { telltaleVersion: JSON.stringify(version) },
    // The WebAssembly itself is put beside the page when it is exported: it comes with onnxruntime-web.
    resolve: {
      alias: ["wasm", "webgpu"].map((build) => ({
        find: build === "wasm" ? /^onnxruntime-web$/ : /^onnxruntime-web\/webgpu$/,
        replacement: join(root, `node_modules/onnxruntime-web/dist/ort.${build}.min.mjs`),
      })),
    },
    input: { index: join(root, "src/page/tab/index.html"), offline: join(root, "src/page/tab/offline.ts") },
  });
}

/** The page that is one file: a script and a style, which the export puts into it. */
async function bundleAlone() {
  await bundle(lookOutput, {
    root: join(root, "src/page/file"),
    input: join(root, "src/page/file/index.html"),
    output: { codeSplitting: false, entryFileNames: "page.js", assetFileNames: "page[extname]" },
  });
  for (const name of ["page.js", "page.css"]) {
    const text = readFileSync(join(lookOutput, name), "utf8");
    checkInlinable(name, text);
  }
}

/** Into a folder beside its place, and only then into it: half of it would be newer than its sources as well. */
async function bundle(into, { input, output: named, ...more }) {
  const { build } = await import("vite");
  const part = `${into}.part`;
  const { ofWorkers, ofPage } = licences();
  const isEntry = ({ name }) => name === "offline";
  await build({
    root: join(root, "src/page"),
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    // Addresses without a beginning: the same files work from any folder.
    base: "./",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    worker: { format: "es", plugins: () => [ofWorkers] },
    ...more,
    plugins: [ofPage],
    build: {
      outDir: part,
      emptyOutDir: true,
      target: "es2022",
      modulePreload: false,
      // Nothing inside of the style or the script that the page's policy would have to allow.
      assetsInlineLimit: 0,
      // It would put `font` behind `font-variant-numeric`, which `font` then undoes.
      cssMinify: false,
      ...(input && {
        rolldownOptions: {
          input,
          // What keeps the page is known by its name.
          output: named ?? { entryFileNames: (chunk) => (isEntry(chunk) ? "[name].js" : "assets/[name]-[hash].js") },
        },
      }),
    },
  });
  rmSync(into, { recursive: true, force: true });
  renameSync(part, into);
}

/**
 * Whose code is in a bundle and in its workers, with the words under which it may be passed on: licences.txt beside it.
 */
function licences() {
  const folders = new Map();
  const collect = (bundle) => {
    for (const path of Object.values(bundle).flatMap(({ modules }) => Object.keys(modules ?? {}))) {
      const [folder, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      if (folder) folders.set(name, folder);
    }
  };
  const textOf = ([name, folder]) => {
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    return `${name} ${version}, ${license}\n\n${file ? `${readFileSync(join(folder, file), "utf8").trim()}\n` : ""}`;
  };
  // Workers are bundled before the page that starts them.
  const ofWorkers = { name: "licences of workers", generateBundle: (_, bundle) => collect(bundle) };
  const ofPage = {
    name: "licences",
    generateBundle(_, bundle) {
      collect(bundle);
      const source = [...folders]
        .sort()
        .map(textOf)
        .join(`\n${"-".repeat(72)}\n\n`);
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
  return { ofWorkers, ofPage };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
