/**
 * Holds docs/equations.md, the code and the tests together: each of the 101 numbered equations of the five papers has a
 * row there, with the function and the test that carry its id, or the reason why there is nothing to build. Prints all
 * that does not fit, and fails if anything did not. With --list it prints the table and checks nothing.
 *
 * A function carries an id if it is exported and its doc comment starts with it, as in "T5, T6: W = 2Ω, …" or
 * "TA7–9: …"; a test, if its title does. A function of src/ must be reached by something in src/; what only tests call
 * is theory, and lies beside them. A row comes in four kinds:
 *
 *   | T7  | … | [`softAssignment`](../src/methods/tell.ts)       | [tell.test.ts](../test/methods/tell.test.ts)  |
 *   | T9  | … | *theory* [`layerLoss`](../test/methods/theory/…) | [tell.theory.test.ts](…)                      |
 *   | TA6 | … | –                                                | [tell.theory.test.ts](…): why a test alone    |
 *   | T17 | … | –                                                | Why there is nothing to build, in a sentence. |
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * How many numbered equations there are, by the letters of their ids: TELL, its appendix A, k-meansNet, PC-X,
 * invariance, Deep k-Means.
 */
const papers = { T: 20, TA: 17, K: 27, P: 17, I: 15, D: 5 };
const allIds = Object.entries(papers).flatMap(([letters, count]) =>
  Array.from({ length: count }, (_, i) => `${letters}${i + 1}`),
);

const page = "docs/equations.md";
const nothing = "–";
const theory = "*theory*";
/** A reason has at least so many words. */
const fewWords = 5;

/**
 * Maps of path → text in, for instance src/methods/tell.ts: sources, theories that lie beside the tests, and tests. A
 * list of problems out, each in one line.
 */
export function checkEquations({ document, sources, theories, tests }) {
  const { rows, problems } = rowsById(document);
  const carried = {
    functions: new Map([...sources, ...theories].map(([path, text]) => [path, declarationsOf(text)])),
    tests: new Map([...tests].map(([path, text]) => [path, titlesOf(text)])),
  };
  carried.unreached = unreachedOf(sources, carried.functions);
  for (const row of rows.values()) problems.push(...checkRow(row, carried));

  const report = (path, { line, ids }, what, isExpected, otherwise) => {
    for (const id of ids) {
      const row = rows.get(id);
      if (!allIds.includes(id)) problems.push(`${path}:${line}: ${what} carries ${id}, which is no equation`);
      else if (row && !isExpected(row)) problems.push(`${path}:${line}: ${what} carries ${id}, whose row ${otherwise}`);
    }
  };
  for (const [path, declarations] of carried.functions) {
    for (const found of declarations) {
      report(
        path,
        found,
        "a doc comment",
        (row) => row.functions.length > 0,
        "says that there is no function to build",
      );
    }
  }
  for (const [path, titles] of carried.tests) {
    for (const found of titles) {
      report(path, found, "a test's title", (row) => row.tests.length > 0, "says that there is nothing to build");
    }
  }
  return problems;
}

/** The rows of the tables whose first column is `id`, by id; what is wrong with the tables themselves as problems. */
function rowsById(document) {
  const rows = new Map();
  const problems = [];
  const seen = new Map();
  let inTable = false;
  for (const [index, text] of document.split("\n").entries()) {
    const cells = cellsOf(text);
    inTable = cells !== undefined && (inTable || cells[0] === "id");
    if (!inTable || cells[0] === "id" || /^:?-+:?$/.test(cells[0])) continue;
    const where = `${page}:${index + 1}`;
    const [id, formula, built, last] = cells;
    if (!allIds.includes(id)) problems.push(`${where}: ${id || "an empty id"} is no equation`);
    else if (seen.has(id)) problems.push(`${where}: ${id} has a second row, the first is ${seen.get(id)}`);
    else {
      seen.set(id, where);
      if (cells.length === 4 && formula) {
        rows.set(id, { where, id, built, last, functions: linksIn(built), tests: linksIn(last).filter(isTest) });
      } else problems.push(`${where}: ${id} must be four cells, id | formula | function | test or reason, got ${text}`);
    }
  }
  for (const id of allIds) if (!seen.has(id)) problems.push(`${page}: ${id} has no row`);
  return { rows, problems };
}

/** The cells of a table's line; a bar inside of one is written \|. */
function cellsOf(line) {
  if (!line.startsWith("|")) return undefined;
  return line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** [`name`](../path) as name and path from the root, and whether *theory* stands before it. */
function linksIn(cell) {
  return [...cell.matchAll(/(\*theory\* )?\[`?([^\]`]+)`?\]\(([^)]+)\)/g)].map(([, marked, name, link]) => ({
    name,
    path: posix.join(posix.dirname(page), link),
    isTheory: marked !== undefined,
  }));
}

const isTest = ({ path }) => path.startsWith("test/");

function checkRow({ where, id, built, last, functions, tests }, carried) {
  const problems = [];
  const say = (problem) => problems.push(`${where}: ${id}: ${problem}`);

  if (functions.length === 0 && built !== nothing) {
    say(`the function must be a link as [\`name\`](../src/…) or ${nothing}, got ${built || "nothing"}`);
  }
  for (const { name, path, isTheory } of functions) {
    const declared = carried.functions.get(path)?.filter((declaration) => declaration.name === name);
    if (!declared) say(`${path} is no file of src/ or ${theoryFolder}/`);
    else if (declared.length === 0) say(`${path} exports no function ${name}`);
    else if (!declared.some(({ ids }) => ids.includes(id)))
      say(`the doc comment of ${name} in ${path} does not carry ${id}`);
    else if (isTheory !== isTest({ path }))
      say(
        `${name} in ${path} ${isTheory ? "is no" : "is"} theory, so that ${theory} must ${isTheory ? "not " : ""}stand before it`,
      );
    else if (carried.unreached.get(path)?.has(name))
      say(`nothing in src/ reaches ${name} in ${path}: what only tests call is theory, and belongs beside them`);
  }

  for (const { path } of tests) {
    const titles = carried.tests.get(path);
    if (!titles) say(`${path} is no file of test/`);
    else if (!titles.some(({ ids, runs }) => runs && ids.includes(id))) say(`no test's title in ${path} carries ${id}`);
  }
  if (functions.length > 0 && tests.length === 0) say("the last column must link to the test, as [name](../test/…)");
  if (built === nothing) {
    const reason = last.replace(/\[[^\]]*\]\([^)]*\)/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
    if (reason.length < fewWords)
      say(`the last column must say in a sentence why there is no function, got ${last || "nothing"}`);
  }
  return problems;
}

const exported = /export (?:async )?(?:function\*?|const|class) (\w+)/;

/** What a source exports under which name, and all doc comments that carry ids, on whatever they are. */
function declarationsOf(text) {
  const comments = [...text.matchAll(/^[ \t]*\/\*\*([\s\S]*?)\*\//gm)].map((match) => {
    const after = text.slice(match.index + match[0].length);
    // Between a doc comment and what it is about there may be line comments, such as a linter's.
    const name = new RegExp(`^(?:\\s|//.*\n)*${exported.source}`).exec(after)?.[1];
    return { name, line: lineAt(text, match.index), ids: idsAtStart(match[1].replace(/^[ \t]*\*/gm, "").trim()) };
  });
  const names = [...text.matchAll(new RegExp(`^${exported.source}`, "gm"))].map(([, name]) => ({ name, ids: [] }));
  return [...comments, ...names];
}

/**
 * Of each source, the exported functions that carry ids and that no source uses, by a mention in the same file or an
 * import in another. What only such functions use is among them.
 */
function unreachedOf(sources, functions) {
  const codes = new Map([...sources].map(([path, text]) => [path, withoutComments(text)]));
  const unreached = new Map([...sources.keys()].map((path) => [path, new Set()]));
  const isUsed = (name, path) =>
    mentions(withoutDeclarations(codes.get(path), [name, ...unreached.get(path)]), name) ||
    [...codes].some(([other, code]) => other !== path && importsFrom(code, other, path).includes(name));
  for (let before = -1, count = 0; before < count; ) {
    before = count;
    for (const [path, names] of unreached) {
      const carrying = functions.get(path).filter(({ name, ids }) => name && ids.length > 0);
      for (const { name } of carrying) if (!isUsed(name, path)) names.add(name);
    }
    count = [...unreached.values()].reduce((total, names) => total + names.size, 0);
  }
  return unreached;
}

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm, "");
const mentions = (code, name) => new RegExp(`(?<![.\\w])${name}\\b`).test(code);

/** The code without what it exports under these names. */
function withoutDeclarations(code, names) {
  const declarations = code.split(/^(?=(?:export |async )*(?:function|const|class|interface|type)\b)/m);
  const kept = declarations.filter((each) => !names.includes(new RegExp(`^${exported.source}`).exec(each)?.[1]));
  return kept.join("");
}

/** The names that one source imports from another. */
function importsFrom(code, path, other) {
  return [...code.matchAll(/^import (?:type )?\{([^}]*)\} from "([^"]+)";/gm)]
    .filter(([, , link]) => posix.join(posix.dirname(path), link) === other)
    .flatMap(([, names]) => names.match(/\w+/g) ?? []);
}

/** The titles that start with ids: of it("…"), test.each(…)("…"), describe("…"). Skipped ones do not run. */
function titlesOf(text) {
  const code = text.replace(/^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm, (comment) => comment.replace(/.+/g, ""));
  const title = /(?:\b(?:it|test|describe)((?:\.\w+)*)|[)`])\(\s*(["'`])((?:\\.|(?!\2)[^\\])*)\2/g;
  return [...code.matchAll(title)].map(({ 1: modifiers = "", 3: words, index }) => ({
    line: lineAt(code, index),
    ids: idsAtStart(words),
    runs: !/skip|todo|fails/.test(modifiers),
  }));
}

const lineAt = (text, index) => text.slice(0, index).split("\n").length;

const single = `(?:${Object.keys(papers).join("|")})\\d+`;
const span = `${single}(?:–(?:${single}|\\d+))?`;
const list = new RegExp(`^(${span}(?:(?:, | and )${span})*):`);

/**
 * "T5, T6: …" carries T5 and T6, "TA7–9: …" three ids. A span that cannot be is carried as it stands, and known to
 * nobody.
 */
function idsAtStart(text) {
  const parts = list.exec(text)?.[1].split(/, | and /) ?? [];
  return parts.flatMap((part) => {
    const [, letters, from, again = letters, to = from] = /^([A-Z]+)(\d+)(?:–([A-Z]+)?(\d+))?$/.exec(part);
    const [first, last] = [from, to].map((number) => allIds.indexOf(`${letters}${number}`));
    return again === letters && 0 <= first && first <= last ? allIds.slice(first, last + 1) : part;
  });
}

/** The files of a folder that end like that, by their paths from the root. */
function filesIn(root, folder, ending) {
  const paths = readdirSync(join(root, folder), { recursive: true })
    .map((path) => posix.join(folder, path.replaceAll("\\", "/")))
    .filter((path) => path.endsWith(ending));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** Where functions lie that only tests call. */
const theoryFolder = "test/methods/theory";

/** The project as it is, for checkEquations. */
export function readProject() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  return {
    document: readFileSync(join(root, page), "utf8"),
    sources: filesIn(root, "src", ".ts"),
    theories: filesIn(root, theoryFolder, ".ts"),
    tests: filesIn(root, "test", ".test.ts"),
  };
}

function printTable({ document }) {
  const nameOf = ({ name, path, isTheory }) => `${isTheory ? `${theory} ` : ""}${name} (${path})`;
  const names = (links) => links.map(nameOf).join(", ") || nothing;
  const lines = [...rowsById(document).rows.values()].map((row) => [
    row.id,
    names(row.functions),
    row.tests.map(({ path }) => path).join(", ") || row.last,
  ]);
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const project = readProject();
  if (process.argv.includes("--list")) printTable(project);
  else {
    const problems = checkEquations(project);
    for (const problem of problems) console.error(problem);
    if (problems.length === 0)
      console.log(`${page}: ${allIds.length} equations, each with its function and test or a reason`);
    process.exit(problems.length === 0 ? 0 : 1);
  }
}
