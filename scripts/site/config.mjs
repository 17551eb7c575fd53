/** What the documentation site is: its pages in order, links that leave docs/, and what a page may load. */

import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { defineConfig } from "vitepress";

/** Of the site itself and of nobody else: a page that asked another host would be refused by the browser. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
].join("; ");

/** A page by its file, called by its first line. */
const called = (file, text = titleOf(file)) => ({ text, link: `/${file.replace(/\.md$/, "").replace(/README$/, "")}` });

function titleOf(file) {
  return /^# (.+)$/m.exec(readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8"))[1].replaceAll("`", "");
}

const part = (text, files, isOpen = true) => ({ text, collapsed: !isOpen, items: files.map((file) => called(file)) });

const methods = "telltale tell kmeansnet dkm pcx invariance dec dcn depict vade kmeans";
const papers = "tell kmeansnet dkm pcx invariance";
const examples = "digits weather films flags mail";

export const sidebar = [
  part("Begin", ["README.md", "cli.md", "page.md", "mcp.md", "own.md"]),
  { ...part("Examples", ["gallery/README.md", ...examples.split(" ").map((name) => `gallery/${name}.md`)]) },
  part("Rows", ["files.md", "columns.md", "mixed.md"]),
  part("Clusters", ["groups.md", "choice.md", "teachers.md", "explanations.md", "map.md", "curation.md", "metrics.md"]),
  part("Elsewhere", ["runs.md", "sweep.md", "stream.md", "lake.md", "scale.md", "bundlers.md", "security.md"]),
  part("Methods", ["methods/README.md", ...methods.split(" ").map((name) => `methods/${name}.md`)], false),
  part("Papers", ["papers/README.md", ...papers.split(" ").map((name) => `papers/${name}.md`), "equations.md"], false),
  part("Measured", ["results.md", "peers.md", "comparators.md", "performance.md"], false),
  part("Inside", ["architecture.md", "training.md"], false),
];

/** The doors of the package, with a page each. */
export const doors = {
  node: {
    called: "telltale",
    file: "src/doors/node.ts",
    about: '`import … from "telltale"` in Node: rows in memory, files, runs, devices.',
  },
  browser: {
    called: "telltale in a browser",
    file: "src/doors/browser.ts",
    about: '`import … from "telltale"` in a browser: the same without files and runs.',
  },
  teachers: {
    called: "telltale/teachers",
    file: "src/doors/teachers.ts",
    about: "Partitions of rows without a network.",
  },
  metrics: { called: "telltale/metrics", file: "src/doors/metrics.ts", about: "Scores of a clustering." },
  method: {
    called: "telltale/method",
    file: "src/doors/method.ts",
    about: "What a method of your own is written with.",
  },
  engine: {
    called: "telltale/engine",
    file: "src/doors/engine.ts",
    about: "Formulas, gradients, programs and devices.",
  },
};

const doorPages = Object.entries(doors).map(([name, { called }]) => ({ text: called, link: `/reference/${name}` }));

export default defineConfig({
  title: "Telltale",
  description: "Interpretable deep clustering for TypeScript",
  lang: "en",
  srcDir: ".",
  outDir: "../site",
  cacheDir: "./.cache",
  head: [
    ["meta", { "http-equiv": "Content-Security-Policy", content: policy }],
    ["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }],
  ],
  // The search of all pages is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 3000 } },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: headingOf },
    languageAlias: { next: "js" },
    config(markdown) {
      markdown.core.ruler.push("outside", showOutside);
      markdown.core.ruler.push("tables and code", asOnGitHosts);
    },
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Begin", link: "/" },
      { text: "Examples", link: "/gallery/" },
      { text: "Command line", link: "/cli" },
      { text: "Reference", link: "/reference/node" },
    ],
    sidebar: [...sidebar, { text: "Reference", collapsed: true, items: doorPages }],
    docFooter: { prev: "Before", next: "Next" },
  },
});

/** What a git host calls a heading in an address, so that a link to one leads there on both. */
export function headingOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Links to sources and tests lead out of the site: they become words that say where. */
function showOutside({ tokens, env }) {
  for (const { children } of tokens) {
    let isOutside = false;
    for (const token of children ?? []) {
      if (token.type === "link_open") {
        const href = token.attrGet("href");
        isOutside = !/^([a-z]+:|#|\/)/.test(href) && leaves(href, env.relativePath);
        if (isOutside) {
          const where = posix.normalize(posix.join("docs", posix.dirname(env.relativePath), href));
          const title = [where, token.attrGet("title")].filter(Boolean).join(": ");
          Object.assign(token, { type: "html_inline", content: `<span class="outside" title="${quoted(title)}">` });
        }
      } else if (token.type === "link_close" && isOutside) {
        Object.assign(token, { type: "html_inline", content: "</span>" });
        isOutside = false;
      }
    }
  }
}

/**
 * What VitePress leaves bare: code that is indented gets the box of code between fences, without which a long line
 * makes the page wide, and a head of a table that says nothing is a plain cell to whoever hears the page read.
 */
function asOnGitHosts({ tokens }) {
  for (const [i, token] of tokens.entries()) {
    if (token.type === "code_block") Object.assign(token, { type: "fence", info: "text" });
    else if (token.type === "th_open" && tokens[i + 1].content === "") token.tag = tokens[i + 2].tag = "td";
  }
}

function leaves(href, page) {
  return posix.normalize(posix.join(posix.dirname(page), href)).startsWith("../");
}

function quoted(text) {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll("{{", "{ {");
}
