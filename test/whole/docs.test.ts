/** The documentation as it is written: every page is reached, every link leads somewhere. */

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { telltale } from "../cli/inProcess.ts";

const { doors, headingOf, sidebar } = (await import("../../scripts/site/config.mjs" as string)) as {
  readonly doors: Readonly<Record<string, { readonly file: string }>>;
  readonly sidebar: readonly { readonly items: readonly { readonly link: string }[] }[];
  headingOf(text: string): string;
};
const { faultsIn } = (await import("../../scripts/site/faults.mjs" as string)) as {
  faultsIn(site: string): string[];
};

const pages = (await readdir("docs", { recursive: true })).filter((name) => name.endsWith(".md"));

test("every page is in the list of the site, once", () => {
  const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
  const wanted = pages.map((name) => `/${name.replace(/(README)?\.md$/, "")}`);
  expect([...listed].sort()).toEqual([...wanted].sort());
});

test("every door of the package has a page of reference", async () => {
  const { exports } = JSON.parse(await readFile("package.json", "utf8"));
  const built = [...JSON.stringify(exports).matchAll(/dist\/(src\/doors\/\w+)\.js/g)].map(([, file]) => `${file}.ts`);
  expect(new Set(Object.values(doors).map(({ file }) => file))).toEqual(new Set(built));
});

test.each(pages)("the links and pictures of docs/%s lead to what is there, headings included", async (page) => {
  const text = await readFile(join("docs", page), "utf8");
  expect(text).not.toMatch(/!\[[^\]]*\]\(https?:/);
  for (const [, path, heading] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g)) {
    const file = path === "" ? join("docs", page) : join("docs", dirname(page), path!);
    await expect(stat(file), file).resolves.toBeDefined();
    if (heading === undefined || !file.endsWith(".md")) continue;
    const known = [...(await readFile(file, "utf8")).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      headingOf(title!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")),
    );
    expect(known, `${page}: ${file}#${heading}`).toContain(heading);
  }
});

/** Each command that a page writes as code, with the options that it is given: `telltale stream RUN --from …`. */
function* commandsIn(text: string): Generator<{ readonly said: string; readonly name: string; options: string[] }> {
  const code = [
    // What a command has printed is no command.
    ...[...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].filter(([block]) => !block.startsWith("```text")),
    ...text.matchAll(/^ {4}(.+)$/gm),
    ...text.matchAll(/`([^`\n]+)`/g),
  ];
  for (const [, block] of code) {
    for (const [said, name, rest] of block!
      .replaceAll("\\\n", " ")
      .matchAll(/(?<=(?:^|[|;&('"$])\s*)telltale ([a-z]+)\b([^\n;&|>#`]*)/gm)) {
      // What stands in quotation marks is somebody's own.
      const words = rest!.replaceAll(/'[^']*'|"[^"]*"/g, "").split(/[\s[\]]+/);
      yield {
        said,
        name: name!,
        options: words.flatMap((word) => /^(--[a-z][a-z-]*|-[a-zA-Z])\b/.exec(word)?.[0] ?? []),
      };
    }
  }
}

const help = new Map<string, string>();
for (const name of Object.keys(commands)) help.set(name, (await telltale(name, "--help")).out);

test("what a page writes as a command is one: what is read here is what a person would type", () => {
  const page =
    "```sh\ntelltale fit a.csv \\\n  --out 'x --y' -k 3 > b.csv --no\n```\n\n    telltale strem RUN [--from URL]\n\nby `telltale work -q`";
  expect([...commandsIn(page)].map(({ name, options }) => [name, ...options])).toEqual([
    ["fit", "--out", "-k"],
    ["strem", "--from"],
    ["work", "-q"],
  ]);
});

test.each(["README.md", ...pages.map((name) => `docs/${name}`)])(
  "commands in %s have options that exist",
  async (page) => {
    for (const { said, name, options } of commandsIn(await readFile(page, "utf8"))) {
      expect([...help.keys()], said).toContain(name);
      for (const option of options) expect(help.get(name), said).toMatch(new RegExp(`(^|\\s)${option}\\b`, "m"));
    }
  },
);

test("a site with a dead link, a host that is asked, or a page without its policy is refused", async () => {
  const site = await mkdtemp(join(tmpdir(), "telltale-site-"));
  const policy = '<meta http-equiv="Content-Security-Policy" content="default-src">';
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(join(site, name)), { recursive: true });
    await writeFile(join(site, name), content);
  };
  await write("index.html", `${policy}<a href="/a/">a</a><a href="https://elsewhere.test">followed</a><h2 id="here">`);
  await write("a/index.html", `${policy}<a href="../index.html#here">up</a>`);
  expect(faultsIn(site)).toEqual([]);
  await write(
    "b.html",
    '<a href="/none.html"></a><a href="index.html#none"></a><img src="https://elsewhere.test/x.png">',
  );
  await write("c.css", "@font-face { src: url(//elsewhere.test/font) }");
  expect(faultsIn(site)).toEqual([
    "b.html: /none.html leads nowhere",
    "b.html: index.html#none names no heading",
    "b.html: asks https://elsewhere.test/x.png",
    "b.html: has no policy that keeps it to itself",
    "c.css: asks //elsewhere.test/font",
  ]);
  await rm(site, { recursive: true });
});
