import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { nameOf } from "../../src/cli/commands/fit.ts";
import { Ending, endingOf, exitCodes, wrongUsage } from "../../src/cli/ending.ts";
import { checkedOptions } from "../../src/cli/options.ts";
import { rowsFrom } from "../../src/cli/rows.ts";
import { clusters, formatFor, given, names, wholeNumber } from "../../src/cli/values.ts";

test("how many clusters: a number, a range, or auto", () => {
  expect(["6", "1", " 2-12 ", "auto"].map(clusters)).toEqual([6, 1, [2, 12], "auto"]);
  for (const wrong of ["", "0", "-3", "2.5", "5-5", "1-4", "9-2", "some", "1e3"]) {
    expect(() => clusters(wrong), wrong).toThrow(/number from 1, a range/);
  }
});

test("whole numbers, and lists of names", () => {
  expect(wholeNumber()("0")).toBe(0);
  for (const wrong of ["", "x", "-1", "1.5", "0x10", "99999999999999999999"]) {
    expect(() => wholeNumber()(wrong), wrong).toThrow(/whole number from 0/);
  }
  expect(() => wholeNumber(1)("0")).toThrow(/from 1/);
  expect(names("c", names("a, b"))).toEqual(["a", "b", "c"]);
  expect(names("Rome\\, Italy,Oslo")).toEqual(["Rome, Italy", "Oslo"]);
  expect(() => names("a,,b")).toThrow(/names with commas/);
  expect(given({ a: 1, b: undefined })).toEqual({ a: 1 });
});

test("only the options about rows reach whoever opens them", () => {
  const values = { columns: ["a"], missing: "drop", quiet: true, sql: undefined };
  expect(rowsFrom(values as object)).toEqual({ rows: { columns: ["a"], missing: "drop" } });
  expect(rowsFrom({})).toEqual({});
});

test("a run is named after its source", () => {
  expect(["data/sensors.csv", "x.csv.gz", "my.data.v2.parquet", "photos/", "-", "..", ".hidden"].map(nameOf)).toEqual([
    "sensors",
    "x",
    "my.data.v2",
    "photos",
    "input",
    "rows",
    ".hidden",
  ]);
});

test("options of the method become what it declares", async () => {
  const set = ["latent=5", "hidden=64,32", "assignment=soft", "alternate=false", "tau = 0.2"];
  expect(await checkedOptions({ method: "tell", epochs: 3, set })).toEqual({
    epochs: 3,
    latent: 5,
    hidden: [64, 32],
    assignment: "soft",
    alternate: false,
    tau: 0.2,
  });
});

test.each([
  ["lambada=1", /no option lambada; did you mean lambda\?/],
  ["latent=five", /latent must be a whole number from 0, got "five"/],
  ["hidden=64,-1", /hidden must be a list of whole numbers from 1/],
  ["alternate=yes", /alternate must be true or false, got "yes"/],
  ["assignment=sof", /assignment must be one of hard, soft/],
  ["latent", /--set must be name=value/],
])("--set %s is refused", async (text, message) => {
  await expect(checkedOptions({ method: "tell", set: [text] })).rejects.toThrow(message);
});

test("every end has a code and at most one line", () => {
  const { signal } = new AbortController();
  const end = (error: unknown, stopped = signal) => endingOf(error, "telltale fit", stopped);
  expect(end(new Error("a.csv: row 3\n  is ragged"))).toEqual({
    code: 1,
    line: "telltale fit: a.csv: row 3 is ragged",
  });
  expect(end(wrongUsage("no"))).toEqual({ code: 2, line: "telltale fit: no" });
  expect(end(new CommanderError(0, "commander.version", "0.1.0"))).toEqual({ code: 0 });
  expect(end(new CommanderError(1, "x", "error: unknown option '--a'\n(Did you mean --b?)"))).toEqual({
    code: 2,
    line: "telltale fit: unknown option '--a'; did you mean --b?",
  });
  expect(end(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))).toEqual({ code: 0 });
  expect(end(undefined).code).toBe(1);
  const terminated = AbortSignal.abort(new Ending("stopped", exitCodes.SIGTERM));
  expect(end(terminated.reason, terminated)).toEqual({ code: 143, line: "telltale fit: stopped" });
  expect(end(new Error("whatever the abort broke"), terminated).code).toBe(143);
});

test("the format of a file is in its name", () => {
  const formats = ["csv", "jsonl", "parquet"] as const;
  expect([undefined, "a.JSONL", "a.b.parquet", "a.txt", "a"].map((out) => formatFor(formats, out))).toEqual([
    "csv",
    "jsonl",
    "parquet",
    "csv",
    "csv",
  ]);
  expect([formatFor(formats, undefined, true), formatFor(formats, "a.csv", true)]).toEqual(["jsonl", "csv"]);
});
