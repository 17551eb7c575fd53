/** Literals of other languages give back the text they were made of, whatever it is. */

import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { htmlText } from "../../src/text/htmlText.ts";
import { jsonText } from "../../src/text/jsonText.ts";
import { pythonText } from "../../src/text/pythonText.ts";
import { shellPath, shellText } from "../../src/text/shellText.ts";
import { bigQuery, duckDb, oracle, type SqlDialect, sqlComment } from "../../src/text/sql.ts";
import { hasUnseen } from "../../src/text/unseen.ts";
import { queried } from "../support/queried.ts";
import { anyName, name } from "./names.ts";

const many = (of = name, least = 300): string[] => fc.sample(of, { numRuns: least, seed: 12 });
const unseen = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe("JSON", () => {
  it("is read as the same value, ends no script and has nothing that nobody sees", () => {
    fc.assert(
      fc.property(fc.oneof(anyName, fc.array(anyName), fc.dictionary(anyName, anyName)), (value) => {
        const text = jsonText(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(text).not.toContain("<");
        expect(hasUnseen(text)).toBe(false);
      }),
    );
  });
});

describe("Python", () => {
  it("reads the literal as the same text, on one line", () => {
    fc.assert(
      fc.property(anyName, (text) => {
        const literal = pythonText(text);
        expect(literal).not.toMatch(unseen);
        expect(readLiteral(literal, { quote: '"' })).toEqual([text, ""]);
      }),
    );
  });

  it("does so where it is here", () => {
    const names = many(anyName);
    const program = `import json, sys\nprint(json.dumps([${names.map(pythonText).join(",")}]))`;
    const python = spawnSync("python3", ["-"], { input: program, encoding: "utf8" });
    if (python.error) return;
    expect(python.stderr).toBe("");
    expect(JSON.parse(python.stdout)).toEqual(names);
  });
});

describe.skipIf(process.platform === "win32")("a shell", () => {
  const said = (words: readonly string[]): string[] =>
    execFileSync("sh", ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "utf8" })
      .split("\0")
      .slice(0, -1);

  it("takes each for one word, the same text", () => {
    const names = [...many(), "", "-n", "~", "~root", "=ls", "a b", "it's", "a\n", "\n", "%s", "\\055", "!!", "{a,b}"];
    // No word can hold a NUL.
    expect(said(names.map(shellText))).toEqual(names.map((text) => text.replaceAll("\0", "")));
  });

  it("takes no path for an option", () => {
    expect(said(["-rf", "--force", "-", "a"].map(shellPath))).toEqual(["./-rf", "./--force", "./-", "a"]);
  });

  it("is given words that can be printed: one line, nothing that nobody sees", () => {
    for (const text of many().filter((each) => !each.endsWith("\n"))) expect(shellText(text)).not.toMatch(unseen);
    expect(shellText("runs/größe 1")).toBe("'runs/größe 1'");
    expect(shellText("runs/a-1_b.c")).toBe("runs/a-1_b.c");
  });
});

/** How engines read literals, by their manuals. */
const rules: Record<string, { dialect: SqlDialect; text: Rule; name: Rule }> = {
  DuckDB: { dialect: duckDb, text: { doubled: "'" }, name: { doubled: '"' } },
  Oracle: { dialect: oracle, text: { doubled: "'" }, name: { doubled: '"' } },
  BigQuery: { dialect: bigQuery, text: { quote: "'" }, name: { quote: "`" } },
};

describe.each(Object.entries(rules))("%s", (engine, { dialect, text: textRule, name: nameRule }) => {
  it("reads a text as what it was", () => {
    fc.assert(
      fc.property(name, (text) => {
        const literal = dialect.text(text);
        if (engine === "DuckDB" && text.includes("\0")) return;
        const [, unistr] = /^UNISTR\((.*)\)$/s.exec(literal) ?? [];
        const [read, rest] = readLiteral(unistr ?? literal, textRule);
        expect(rest).toBe("");
        expect(unistr === undefined ? read : fromUnistr(read)).toBe(text);
        if (engine !== "DuckDB") expect(literal).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it("reads a name as what it was, or as one that it can have where it cannot have that, which is said", () => {
    fc.assert(
      fc.property(name, (text) => {
        const [read, rest] = readLiteral(dialect.name(text), nameRule);
        expect(rest).toBe("");
        if (dialect.misfit(text) === undefined) expect(read).toBe(text);
        if (engine === "Oracle" || engine === "Spark") expect(dialect.name(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

it("DuckDB gives back the texts, and the values of columns by their names", async () => {
  // Its package takes a mark of byte order off the beginning of whatever it gives back.
  const texts = many().filter((text) => !text.startsWith("\ufeff"));
  const [found] = await queried(`select ${texts.map(duckDb.text).join(", ")}`);
  expect(found).toEqual(texts);
  // Two names that differ in case only are one column.
  const names = [
    ...new Map(texts.filter((each) => !duckDb.misfit(each)).map((each) => [each.toLowerCase(), each])).values(),
  ];
  const table = names.map((each, i) => `${i} as ${duckDb.name(each)}`).join(", ");
  const picked = names.toReversed().map(duckDb.name).join(", ");
  expect(await queried(`select ${picked} from (select ${table})`)).toEqual([names.map((_, i) => i).toReversed()]);
});

test("what an engine cannot have as a name is said", () => {
  const long = "ü".repeat(65);
  const cases: [SqlDialect, string[], string[]][] = [
    [duckDb, ["a=b", "x[3]", "", "a\0"], ["", "a\0"]],
    [
      bigQuery,
      ["a=b", "größe 1", "x[3]", 'a"b', "a.b", "", "a\n", "y".repeat(301)],
      ["x[3]", 'a"b', "a.b", "", "a\n", "y".repeat(301)],
    ],
    [oracle, ["a=b", "x[3]", 'a"b', long, "", "a\n"], ['a"b', long, "", "a\n"]],
  ];
  for (const [dialect, names, wrong] of cases) expect(names.filter((each) => dialect.misfit(each))).toEqual(wrong);
});

test("a comment of SQL is one line that does not go on in the next", () => {
  fc.assert(
    fc.property(name, (text) => {
      expect(sqlComment(text)).toMatch(/^-- [^\n\r\u2028\u2029\u0085]*$/);
      expect(sqlComment(text)).not.toMatch(/\\$/);
    }),
  );
});

test("text in HTML has no markup, and is read as what it was but for controls", () => {
  fc.assert(
    fc.property(name, (text) => {
      const escaped = htmlText(text);
      expect(escaped).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      expect(escaped).not.toMatch(/(?![\n\t\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
      const read = escaped.replaceAll(/&([a-z]+|#39);/g, (_, entity: string) => entities[entity]!);
      const shown = text.replaceAll(/(?![\n\t\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
      expect(read).toBe(shown);
    }),
  );
});

type Rule = { readonly doubled: string } | { readonly quote: string };

/** A literal from the start of a text, as its language reads it, and what comes after it. */
function readLiteral(text: string, rule: Rule): [read: string, rest: string] {
  const quote = "doubled" in rule ? rule.doubled : rule.quote;
  expect(text[0]).toBe(quote);
  let read = "";
  for (let at = 1; at < text.length; at++) {
    const [here, next] = [text[at]!, text[at + 1]];
    if ("doubled" in rule) {
      if (here !== quote) read += here;
      else if (next === quote) [read, at] = [read + quote, at + 1];
      else return [read, text.slice(at + 1)];
    } else if (here === quote) {
      return [read, text.slice(at + 1)];
    } else if (here === "\n" || here === "\r") {
      throw new Error("a line break ends a literal");
    } else if (here !== "\\") {
      read += here;
    } else {
      const [, digits] = /^\\(?:u([0-9a-f]{4})|U([0-9a-f]{8}))/.exec(text.slice(at))?.filter(Boolean) ?? [];
      if (digits === undefined && !["\\", "'", '"', "`"].includes(next!)) throw new Error(`an escape \\${next}`);
      read += digits === undefined ? next : characterOf(Number.parseInt(digits, 16));
      at += digits === undefined ? 1 : digits.length + 1;
    }
  }
  throw new Error("it never ends");
}

/** Halves come one by one. */
function characterOf(code: number): string {
  return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}

function fromUnistr(text: string): string {
  return text.replaceAll(/\\(\\|[0-9a-f]{4})/gi, (_, code: string) =>
    code === "\\" ? "\\" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
