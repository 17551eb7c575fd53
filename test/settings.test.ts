/** What is said to the library and is nothing that can be said: refused in a sentence, by every door. */

import { describe, expect, it } from "vitest";
import * as door from "../src/doors/node.ts";
import { checkSettings } from "../src/settings.ts";

const asAny = (value: unknown): never => value as never;

describe("a setting", () => {
  const settings = {
    out: "text",
    force: "flag",
    ids: "names",
    seed: "whole",
    onEvent: "call",
    rows: "byName",
  } as const;
  const inside = { rows: { label: "text" } };
  const check = (said: unknown): void =>
    checkSettings<Record<keyof typeof settings, unknown>>("here", asAny(said), settings, inside);

  it("may be left out, or be undefined", () => {
    check({});
    check({ out: "there", force: undefined, ids: ["a", "b"], seed: 3, onEvent: () => {}, rows: { label: "none" } });
  });

  it.each([
    [{ label: "none" }, "here: label belongs into rows: say rows: { label: … }"],
    [{ forse: true }, "here: there is no option forse; did you mean force?"],
    [{ chocolate: 1 }, "here: there is no option chocolate; there are out, force, ids, seed, onEvent, rows"],
    [{ force: "yes" }, 'here: force must be true or false, got "yes"'],
    [{ ids: ["a", 3] }, "here: ids must be a name, or a list of names, got a list"],
    [{ seed: 1.5 }, "here: seed must be a whole number, got 1.5"],
    [{ onEvent: "print" }, 'here: onEvent must be a function, got "print"'],
    [{ rows: ["a"] }, "here: rows must be an object with a value for each name, got a list"],
    [{ out: null }, "here: out must be a text, got null"],
    [null, "here: options must be an object such as { … }, got null"],
    ["out", 'here: options must be an object such as { … }, got "out"'],
  ])("is refused: %j", (said, sentence) => {
    expect(() => check(said)).toThrow(sentence);
  });
});

// Before it opens anything: none of these files is there. Of fit itself, test/model/fitOptions.test.ts tells.
describe("a door refuses", () => {
  const run = asAny({ labels: () => [] });
  it.each<[string, () => unknown, string]>([
    ["fitRun", () => door.fitRun("x.csv", asAny({ out: "x", label: "none" })), "fitRun: label belongs into rows"],
    [
      "fitRun, an option of the method",
      () => door.fitRun("x.csv", asAny({ out: "x", epochs: 3 })),
      "epochs belongs into options",
    ],
    [
      "fitRun, ill-typed",
      () => door.fitRun("x.csv", asAny({ out: "x", map: "no" })),
      'map must be true or false, got "no"',
    ],
    [
      "fitRun, in rows",
      () => door.fitRun("x.csv", asAny({ out: "/nowhere/x", rows: { colums: ["a"] } })),
      "did you mean columns?",
    ],
    ["importRun", () => door.importRun("x", asAny({ stat: "s", out: "o" })), "did you mean state?"],
    ["resumeRun", () => door.resumeRun("x", asAny({ epochs: 3 })), "resumeRun: there is no option epochs"],
    ["openRows", () => door.openRows("x.csv", asAny({ ids: "a" })), "data: there is no option ids; did you mean id?"],
    ["openRows, ill-typed", () => door.openRows("x.csv", asAny({ label: 3 })), "data: label must be a text, got 3"],
    ["inspectRows", () => door.inspectRows("x.csv", asAny({ ids: "a" })), "did you mean id?"],
    ["openRun", () => door.openRun("x", asAny({ orignal: true })), "did you mean original?"],
    ["load", () => door.load("x", asAny({ devise: "cpu" })), "load: there is no option devise; did you mean device?"],
    [
      "streamRows",
      () => door.streamRows("x", asAny({ format: "csv", frosen: 1 })),
      "stream: there is no option frosen; did you mean frozen?",
    ],
    ["curate", () => door.curate("x", asAny({ sql: true })), "curate: sql belongs into rows"],
    ["demoRun", () => door.demoRun(asAny({ out: "x", clusters: 3 })), "demoRun: there is no option clusters"],
    [
      "assignFile",
      () => door.assignFile(run, "x.csv", asAny({ format: "csv", id: "a" })),
      "assign: id belongs into rows",
    ],
    ["explainFile", () => door.explainFile(run, asAny({ row: "3" })), 'explain: row must be a whole number, got "3"'],
    ["exportRun", () => door.exportRun(run, asAny({ target: "csv", out: "x", forced: 1 })), "did you mean force?"],
    ["compareRuns", () => door.compareRuns(run, run, asAny({ file: "x" })), "compare: there is no option file"],
    ["evaluateRun", () => door.evaluateRun(run, asAny({ labels: "x" })), "eval: there is no option labels"],
    ["map", () => door.map(asAny({ shape: [2, 1] }), asAny({ neighbors: 5 })), "did you mean neighbours?"],
  ])("%s", async (_, said, sentence) => {
    await expect((async () => said())()).rejects.toThrow(sentence);
  });
});
