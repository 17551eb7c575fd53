import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

interface Project {
  document: string;
  sources: Map<string, string>;
  theories: Map<string, string>;
  tests: Map<string, string>;
}

const script = fileURLToPath(new URL("../../scripts/equations.mjs", import.meta.url));
const { checkEquations, readProject } = (await import(script)) as {
  checkEquations(project: Project): string[];
  readProject(): Project;
};

const numbered = { T: 20, TA: 17, K: 27, P: 17, I: 15, D: 5 };
const ids = Object.entries(numbered).flatMap(([letters, count]) =>
  Array.from({ length: count }, (_, i) => `${letters}${i + 1}`),
);

const reason = "A step of the proof, with nothing to build.";
const link = "[`loss`](../src/loss.ts)";
const testLink = "[loss.test.ts](../test/loss.test.ts)";
const theoryPath = "test/methods/theory/bound.ts";
const theoryLink = `*theory* [\`bound\`](../${theoryPath})`;
const rows = new Map(ids.map((id) => [id, `| ${id} | 1 = 1 | – | ${reason} |`]));
rows.set("T12", `| T12 | L = Σⱼ \\|x\\| | ${link} | ${testLink} |`);
rows.set("T13", `| T13 | L = 2 | ${link} | ${testLink} |`);
rows.set("TA6", `| TA6 | L ≤ 3 | – | ${testLink}: a bound on what loss gives, not a function |`);

// Put together from pieces, so that this file itself carries no ids.
const functionOf = (head: string, name = "loss") => `/** ${head} L = 2. */\nexport function ${name}() {}\n`;
const useOf = (name: string) => `import { ${name} } from "./loss.ts";\n`;
const testOf = (head: string, call = "test") => `${call}(\n  "${head} holds", () => {});\n`;

/** A small project with nothing wrong in it, apart from what is planted. */
function project({
  changed = {},
  source = functionOf("T12, T13:"),
  use = useOf("loss"),
  theory = "",
  tests = testOf("T12 and T13:") + testOf("TA6:"),
}: {
  changed?: Record<string, string>;
  source?: string;
  use?: string;
  theory?: string;
  tests?: string;
} = {}): Project {
  const lines = [...new Map([...rows, ...Object.entries(changed)]).values()].filter((line) => line !== "");
  return {
    document: ["# Equations", "", "| id | formula | function | test or reason |", "|---|---|---|---|", ...lines].join(
      "\n",
    ),
    sources: new Map([
      ["src/loss.ts", source],
      ["src/use.ts", use],
    ]),
    theories: new Map([[theoryPath, theory]]),
    tests: new Map([["test/loss.test.ts", tests]]),
  };
}

test("there are 101 ids, and a project with all of them passes", () => {
  expect(ids.length).toBe(101);
  expect(checkEquations(project())).toEqual([]);
});

describe("ids are found", () => {
  test.each([
    ["in a doc comment of several lines", { source: "/**\n * T12–T13: L = 2.\n */\nexport async function loss() {}" }],
    [
      "in a doc comment with a linter's line after it",
      { source: "/** T12–13: L */\n// biome-ignore\nexport const loss = 2;" },
    ],
    ["in the titles of tables", { tests: testOf("T12, T13, TA6:", "test.each([[f(1)], [2]])") }],
    ["in the titles of groups", { tests: testOf("T12, T13, TA6:", "describe") }],
  ])("%s", (_, planted) => {
    expect(checkEquations(project(planted))).toEqual([]);
  });
});

describe("a function of src/ is reached", () => {
  test.each([
    ["by an import in another file", {}],
    ["by an import of several names, over lines", { use: 'import {\n  other,\n  loss,\n} from "./loss.ts";' }],
    ["by a use in its own file", { source: `${functionOf("T12, T13:")}const step = () => loss();`, use: "" }],
    ["by one before it in its own file", { source: `const step = () => loss();\n${functionOf("T12, T13:")}`, use: "" }],
  ])("%s", (_, planted) => {
    expect(checkEquations(project(planted))).toEqual([]);
  });

  const problem = expect.stringContaining("nothing in src/ reaches loss in src/loss.ts");
  test.each([
    ["by nothing", { use: "" }],
    ["by a comment", { use: `/* loss */ // loss\n/**\n * ${useOf("loss")} */\n// ${useOf("loss")}` }],
    ["by another function of the same name", { use: 'import { loss } from "./other.ts";\nloss();' }],
    ["by a property of the same name", { source: `${functionOf("T12, T13:")}const found = step.loss;`, use: "" }],
    ["by itself", { source: functionOf("T12, T13:").replace("{}", "{\n  return loss();\n}"), use: "" }],
  ])("not %s", (_, planted) => {
    // A problem for each of its two equations.
    expect(checkEquations(project(planted))).toEqual([problem, problem]);
  });

  test("not by a function that is itself not reached", () => {
    const source = `${functionOf("T12:")}${functionOf("T13:", "total").replace("{}", "{\n  return loss();\n}")}`;
    const changed = { T13: `| T13 | L | [\`total\`](../src/loss.ts) | ${testLink} |` };
    expect(checkEquations(project({ source, changed, use: useOf("total") }))).toEqual([]);
    expect(checkEquations(project({ source, changed, use: "" }))).toEqual([
      problem,
      expect.stringContaining("nothing in src/ reaches total in src/loss.ts"),
    ]);
  });
});

describe("a function that is theory", () => {
  const changed = { TA6: `| TA6 | L ≤ 3 | ${theoryLink} | ${testLink} |` };

  test("lies beside the tests and needs nothing in src/ that reaches it", () => {
    expect(checkEquations(project({ changed, theory: functionOf("TA6:", "bound") }))).toEqual([]);
  });

  test("may stand beside one that is not", () => {
    const both = { T12: `| T12 | L | ${link}, ${theoryLink} | ${testLink} |` };
    expect(checkEquations(project({ changed: both, theory: functionOf("T12:", "bound") }))).toEqual([]);
  });
});

describe("every kind of mistake is found, in one line:", () => {
  const row = (id: string, last: string, built = link) => ({ [id]: `| ${id} | L | ${built} | ${last} |` });
  /** The line of T12 in the document; that of T13 is the next. */
  const line = "docs/equations.md:16";

  test.each<[problem: string, planted: Parameters<typeof project>[0]]>([
    ["docs/equations.md: K27 has no row", { changed: { K27: "" } }],
    [
      `docs/equations.md:106: T12 has a second row, the first is ${line}`,
      { changed: { again: `| T12 | L | – | ${reason} |` } },
    ],
    ["docs/equations.md:106: T21 is no equation", { changed: { T21: `| T21 | L | – | ${reason} |` } }],
    [
      "docs/equations.md:5: T1 must be four cells, id | formula | function | test or reason, got | T1 | |x| | – | A",
      { changed: { T1: `| T1 | |x| | – | ${reason} |` } },
    ],
    [
      `${line}: T12: src/other.ts is no file of src/ or test/methods/theory/`,
      { changed: row("T12", testLink, "[`loss`](../src/other.ts)") },
    ],
    [
      `${line}: T12: bound in ${theoryPath} is theory, so that *theory* must stand before it`,
      { changed: row("T12", testLink, theoryLink.replace("*theory* ", "")), theory: functionOf("T12:", "bound") },
    ],
    [
      `${line}: T12: loss in src/loss.ts is no theory, so that *theory* must not stand before it`,
      { changed: row("T12", testLink, `*theory* ${link}`) },
    ],
    [
      `${line}: T12: the doc comment of bound in ${theoryPath} does not carry T12`,
      { changed: row("T12", testLink, theoryLink), theory: functionOf("T13:", "bound") },
    ],
    [
      `${line}: T12: src/loss.ts exports no function lose`,
      { changed: row("T12", testLink, "[`lose`](../src/loss.ts)") },
    ],
    [
      `${line}: T12: the function must be a link as [\`name\`](../src/…) or –, got TODO`,
      { changed: row("T12", testLink, "TODO"), source: functionOf("T13:") },
    ],
    [`${line}: T12: the doc comment of loss in src/loss.ts does not carry T12`, { source: functionOf("T13:") }],
    [
      `${line}: T12: the doc comment of loss in src/loss.ts does not carry T12`,
      { source: `/** T12: L = 2. */\nfunction inner() {}\n${functionOf("T13:")}` },
    ],
    [
      `${line}: T12: the doc comment of loss in src/loss.ts does not carry T12`,
      { source: functionOf("T13: by T12: ") },
    ],
    [
      `${line}: T12: the last column must link to the test`,
      { changed: row("T12", reason), tests: testOf("T13, TA6:") },
    ],
    [`${line}: T12: test/none.ts is no file of test/`, { changed: row("T12", "[none](../test/none.ts)") }],
    [`${line}: T12: no test's title in test/loss.test.ts carries T12`, { tests: testOf("T13, TA6:") }],
    [
      `${line}: T12: no test's title in test/loss.test.ts carries T12`,
      { tests: `// ${testOf("T12:").replaceAll("\n", "")}\n${testOf("T13, TA6:")}` },
    ],
    [
      `${line}: T12: no test's title in test/loss.test.ts carries T12`,
      { tests: testOf("T12:", "test.skip") + testOf("T13, TA6:") },
    ],
    ["docs/equations.md:30: TA6: no test's title in test/loss.test.ts carries TA6", { tests: testOf("T12–T13:") }],
    ["docs/equations.md:5: T1: the last column must say in a sentence why", { changed: row("T1", "proof", "–") }],
    ["docs/equations.md:5: T1: the last column must say in a sentence why", { changed: row("T1", "", "–") }],
    ["docs/equations.md:30: TA6: the last column must say in a sentence why", { changed: row("TA6", testLink, "–") }],
    ["src/loss.ts:1: a doc comment carries T21, which is no equation", { source: functionOf("T12, T13, T21:") }],
    [
      "src/loss.ts:1: a doc comment carries T12–K13, which is no equation",
      { source: `${functionOf("T12–K13:")}${functionOf("T12, T13:")}` },
    ],
    [
      "src/loss.ts:3: a doc comment carries T17, whose row says that there is no function to build",
      { source: `${functionOf("T12, T13:")}/** T17: L. */\nconst x = 1;` },
    ],
    [
      `${theoryPath}:1: a doc comment carries TA6, whose row says that there is no function to build`,
      { theory: functionOf("TA6:", "bound") },
    ],
    [
      "src/loss.ts:1: a doc comment carries TA6, whose row says that there is no function to build",
      { source: functionOf("T12, T13, TA6:") },
    ],
    ["test/loss.test.ts:1: a test's title carries D6, which is no equation", { tests: testOf("T12, T13, TA6, D6:") }],
    [
      "test/loss.test.ts:1: a test's title carries T17, whose row says that there is nothing to build",
      { tests: testOf("T12, T13, TA6, T17:") },
    ],
  ])("%s", (problem, planted) => {
    const found = checkEquations(project(planted));
    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(found[0]).not.toContain("\n");
  });

  test("and all of them at once", () => {
    const planted = project({ changed: { K1: "", K2: "" }, source: functionOf(""), tests: testOf("T21:") });
    // No rows for two; no doc comment and no title for T12 and T13, no title for TA6; an unknown id.
    expect(checkEquations(planted)).toHaveLength(2 + 4 + 1 + 1);
  });
});

test("the project itself has nothing to report", () => {
  expect(checkEquations(readProject())).toEqual([]);
});
