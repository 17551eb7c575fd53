/**
 * The documentation site: docs/, a page of reference for every door of the package, and a search that needs nobody
 * else. Built into site/; fails on a link that leads nowhere, and on a page that would ask another host for anything.
 *
 * usage: npm run docs              builds it
 *        npm run docs -- --look    and looks at every page in a browser, with axe
 *        npm run docs -- --serve   and shows it on this machine
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { faultsIn } from "./site/faults.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What the site is made of, gathered, and the site. */
const [source, site] = [join(root, ".docs"), join(root, "site")];

for (const folder of [source, site]) rmSync(folder, { recursive: true, force: true });
gather();
await reference();
const { build, serve } = await import("vitepress");
await build(source, { logLevel: "error" });
const pages = readdirSync(site, { recursive: true }).filter((file) => file.endsWith(".html"));
const faults = faultsIn(site);
if (process.argv.includes("--look")) faults.push(...(await (await import("./site/look.mjs")).faultsSeen(site, pages)));
for (const fault of faults) console.error(`docs: ${fault}`);
if (faults.length > 0) process.exit(1);
console.log(`${pages.length} pages: site/index.html; npm run docs -- --serve shows them`);
if (process.argv.includes("--serve")) await serve({ root: source, port: 7412 });
else rmSync(source, { recursive: true });

/** docs/ as it is, what it links to that is no page, and how the site is set up. */
function gather() {
  const docs = join(root, "docs");
  for (const file of readdirSync(docs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const from = join(file.parentPath, file.name);
    const name = from.slice(docs.length + 1);
    if (name.endsWith(".md")) put(indexed(name), folded(indexed(readFileSync(from, "utf8"))));
    else copy(from, /\.(png|svg)$/.test(name) ? name : `public/${name}`);
  }
  copy(join(root, "src/page/icon.svg"), "public/icon.svg");
  put(".vitepress/config.mjs", 'export { default } from "../../scripts/site/config.mjs";\n');
  put(".vitepress/theme/index.mjs", 'export { default } from "../../../scripts/site/theme/index.mjs";\n');
}

/** On a plain git host a folder opens its README, on a site its index. The project's own README is on neither. */
function indexed(text) {
  return text.replace(/(?<!\(\.\.\/)\bREADME\.md(?=$|[)#])/g, "index.md");
}

/** A drawing that a git host makes of its text is a long text here: whoever wants it opens it. */
function folded(page) {
  return page.replace(/```mermaid\n[\s\S]*?\n```/g, (drawing) => `::: details As Mermaid writes it\n${drawing}\n:::`);
}

/** A page of reference for every door, by TypeDoc. */
async function reference() {
  const { Application } = await import("typedoc");
  const { doors } = await import("./site/config.mjs");
  const folder = join(source, "reference");
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: Object.values(doors).map(({ file }) => join(root, file)),
    tsconfig: join(root, "tsconfig.build.json"),
    // check.mjs has found no error; here nobody has to wait for it again.
    skipErrorChecking: true,
    readme: "none",
    disableSources: true,
    disableGit: true,
    excludePrivate: true,
    logLevel: "Error",
    outputs: [{ name: "markdown", path: folder }],
    outputFileStrategy: "modules",
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    useHTMLAnchors: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    typeAliasPropertiesFormat: "table",
  });
  const project = await app.convert();
  if (!project) throw new Error("docs: TypeDoc finds nothing");
  await app.generateOutputs(project);
  rmSync(join(folder, "README.md"));
  for (const [name, { called, about }] of Object.entries(doors)) {
    const page = join(folder, `${name}.md`);
    writeFileSync(page, readFileSync(page, "utf8").replace(/^# .*$/m, `# ${called}\n\n${about}`));
  }
}

function put(name, text) {
  const path = join(source, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(from, name) {
  const path = join(source, name);
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) cpSync(from, path);
}
