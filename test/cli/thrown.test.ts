/** Whatever is thrown ends in one line that says what to do, and in no stack. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { endingOf } from "../../src/cli/ending.ts";
import { sayEnding } from "../../src/cli/program.ts";
import { wordsOf } from "../../src/cli/thrown.ts";
import { Paper, telltale } from "./inProcess.ts";

const { signal } = new AbortController();
const lineOf = (thrown: unknown): string => endingOf(thrown, "telltale fit", signal).line!;
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};
const broken = new Proxy(
  {},
  {
    get: () => {
      throw new Error("no");
    },
    getPrototypeOf: () => {
      throw new Error("no");
    },
  },
);

const strange: [what: string, thrown: unknown, line: RegExp][] = [
  ["nothing", undefined, /failed without a reason; TELLTALE_DEBUG=1 shows where it happened$/],
  ["null", null, /failed without a reason/],
  ["a text", "no luck", /met something it was not made for \(no luck\); please report it/],
  ["a number", 7, /\(7\)/],
  ["a symbol", Symbol("x"), /\(Symbol\(x\)\)/],
  ["a function", () => 1, /telltale fit: /],
  ["an object", { reason: "x" }, /\(\{"reason":"x"\}\)/],
  ["an object without a prototype", Object.create(null), /failed without a reason/],
  ["an object that cannot be looked at", broken, /failed without a reason/],
  ["an error without words", new Error(""), /failed without a reason/],
  [
    "an error whose message throws",
    Object.defineProperty(new Error(), "message", {
      get: () =>
        thrownBy(() => {
          throw 1;
        }),
    }),
    /failed/,
  ],
  [
    "an error of several lines",
    new Error("a.csv: bad\n    at x (y.js:1:2)\nnext"),
    /^telltale fit: a\.csv: bad at x .* next$/,
  ],
  ["several errors", new AggregateError([new Error("a: x"), new Error("b: y")]), /^telltale fit: a: x; b: y$/],
  ["several errors of several", new AggregateError([new AggregateError([new Error("a: x")])]), /^telltale fit: a: x$/],
  [
    "a mistake of ours",
    thrownBy(() => (undefined as unknown as { a: string }).a),
    /made for \(Cannot read properties.*DEBUG/,
  ],
  [
    "a call of what is no function",
    thrownBy(() => ({ map: 1 as never as () => 1 }).map()),
    /made for \(.*not a function/,
  ],
  ["too long a list", thrownBy(() => new Array(-1)), /made for \(Invalid array length\)/],
  ["too long a text", thrownBy(() => "x".repeat(2 ** 30)), /made for \(Invalid string length\)/],
  [
    "too deep a call",
    thrownBy(function deep(): unknown {
      return [deep()];
    }),
    /made for \(Maximum call stack/,
  ],
  ["no JSON", thrownBy(() => JSON.parse("<")), /made for \(Unexpected token/],
  ["a full disk", system("ENOSPC", "write"), /^telltale fit: the disk is full; make room, or choose another place$/],
  [
    "what is not there",
    system("ENOENT", "open", "a b.csv"),
    /^telltale fit: a b\.csv: there is no such file or folder$/,
  ],
  [
    "what the system calls otherwise",
    system("EWEIRD", "open", "x"),
    /^telltale fit: x: the system says EWEIRD; TELLTALE_DEBUG/,
  ],
  ["a name that commands", new RangeError("\u001b[31mx\u202e: no\u0007"), /^telltale fit: {2}\[31mx\ufffd: no $/],
  ["our own words", new TypeError("model: must be a model, got 3"), /^telltale fit: model: must be a model, got 3$/],
];

function system(code: string, syscall: string, path?: string): Error {
  return Object.assign(new Error(`${code}: words, ${syscall}`), { code, errno: -1, syscall, ...(path && { path }) });
}

test.each(strange)("%s", (_, thrown, line) => {
  const said = lineOf(thrown);
  expect(said).toMatch(line);
  expect(said).toMatch(/^telltale fit: /);
  expect(said.split("\n").length).toBe(1);
  expect(said.length).toBeLessThan(400);
});

test("anything at all: one line, exit code 1, and with TELLTALE_DEBUG more", () => {
  const around = () => ({ out: new Paper(), err: new Paper(), signal });
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withTypedArray: true }), (thrown) => {
      const here = around();
      expect(sayEnding(thrown, "telltale", here)).toBe(1);
      expect(here.err.lines.length).toBe(1);
      expect(here.err.text).not.toMatch(/(?!\n)\p{Cc}|^\s+at /mu);
    }),
  );
  process.env.TELLTALE_DEBUG = "1";
  try {
    for (const [, thrown] of strange) {
      const here = around();
      sayEnding(thrown, "telltale", here);
      expect(here.err.lines.length).toBeGreaterThan(1);
    }
  } finally {
    delete process.env.TELLTALE_DEBUG;
  }
});

test("a message is said as it is where it says where", () => {
  expect(wordsOf(new Error("run: damaged: part.map is not a function"))).toBe(
    "run: damaged: part.map is not a function",
  );
  expect(wordsOf(new TypeError("part.map is not a function"))).toMatch(/^met something/);
});

test("advice names no option that there is none of", async () => {
  const helps = await Promise.all(Object.keys(commands).map(async (name) => (await telltale(name, "--help")).out));
  const known = new Set([...helps.join("\n").matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option));
  const root = fileURLToPath(new URL("../../src/", import.meta.url));
  const files = (await readdir(root, { recursive: true })).filter((file) => /^(?!report|page).*\.ts$/.test(file));
  // Of `telltale` itself, of Node, and what begins others.
  const others = ["--version", "--input-type", "--no"];
  const unknown: string[] = [];
  for (const file of files) {
    // `--counted.left` takes one off a number.
    const named = (await readFile(join(root, file), "utf8")).matchAll(/(?<=[ (`"'])--[a-z][a-z-]+\b(?!\.\w)/g);
    for (const [option] of named) {
      if (!known.has(option) && !others.includes(option)) unknown.push(`${file}: ${option}`);
    }
  }
  expect(unknown).toEqual([]);
});
