/**
 * Writes the tables of options into docs/methods/*.md, between `<!-- options: NAME, NAME -->` and `<!-- /options -->`,
 * from what the methods declare, and into docs/comparators.md, between `<!-- teacher: NAME -->` and
 * `<!-- /teacher -->`, from what teachers declare. With --check it writes nothing and fails if a table is not the one
 * it would write.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { methodOf, sharedOptions, teachers } from "../dist/src/doors/inside.js";

const folder = fileURLToPath(new URL("../docs/", import.meta.url));
const between = /<!-- options: ([^>]*) -->[\s\S]*?<!-- \/options -->/g;

const ofTeacher = /<!-- teacher: ([^>]*) -->[\s\S]*?<!-- \/teacher -->/g;

const ofMethods = readdirSync(`${folder}methods`).filter((name) => name.endsWith(".md"));
const pages = [...ofMethods.map((name) => `methods/${name}`), "comparators.md"];
const stale = [];
for (const page of pages) {
  const before = readFileSync(`${folder}${page}`, "utf8");
  const after = before
    .replace(between, (_, names) => {
      const methods = names.split(",").map((name) => methodOf(name.trim()));
      return `<!-- options: ${names} -->\n\n${own(methods)}\n\n${shared(methods)}\n\n<!-- /options -->`;
    })
    .replace(ofTeacher, (_, name) => `<!-- teacher: ${name} -->\n\n${ofOne(name)}\n\n<!-- /teacher -->`);
  if (after === before) continue;
  if (process.argv.includes("--check")) stale.push(page);
  else writeFileSync(`${folder}${page}`, after);
}
if (stale.length > 0) {
  console.error(`docs: the options of ${stale.join(", ")} are not those of the code; run npm run options`);
  process.exit(1);
}

/** A teacher's options. */
function ofOne(name) {
  const rows = Object.entries(teachers[name].options).map(([option, { fallback, about }]) => [
    `\`${option}\``,
    value(fallback),
    about,
  ]);
  return table(["option", "default", "what it does"], rows);
}

/** The methods' own options. */
function own(methods) {
  const columns = columnsOf(methods);
  const rows = Object.entries(methods[0].options).map(([name, option]) => [
    `\`${name}\``,
    value(option.fallback),
    ...columns.map(({ method, profile }) => value(method.profiles[profile][name])),
    option.kind === "choice"
      ? `${option.about} One of ${option.choices.map((each) => `\`${each}\``).join(", ")}.`
      : option.about,
  ]);
  return table(["option", "default", ...columns.map(({ title }) => title), "what it does"], rows);
}

/** The shared options that a profile sets. */
function shared(methods) {
  const columns = columnsOf(methods);
  const rows = Object.entries(sharedOptions)
    .filter(([name]) => columns.some(({ method, profile }) => method.profiles[profile][name] !== undefined))
    .map(([name, { fallback }]) => [
      `\`${name}\``,
      value(fallback),
      ...columns.map(({ method, profile }) => value(method.profiles[profile][name])),
    ]);
  return table(["shared option", "default", ...columns.map(({ title }) => title)], rows);
}

/** One column for each method and profile; methods with the same profiles share theirs. */
function columnsOf(methods) {
  const profiles = ["paper", "practical"];
  const title = (method, profile) => (methods.length > 1 ? `${method.name}, \`${profile}\`` : `\`${profile}\``);
  return methods.flatMap((method) => profiles.map((profile) => ({ method, profile, title: title(method, profile) })));
}

function value(given) {
  return given === undefined ? "–" : `\`${JSON.stringify(given)}\``;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
