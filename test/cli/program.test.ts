import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { methodOf, methods, sharedOptions, toldNames } from "../../src/doors/inside.ts";
import { telltale } from "./inProcess.ts";

test("the name alone says what it is and what there is", async () => {
  const { code, out, err } = await telltale();
  expect([code, err]).toEqual([0, ""]);
  for (const name of Object.keys(commands)) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  expect(out).toContain("$ telltale fit");
  expect((await telltale("--help")).out).toBe(out);
});

test("--version", async () => {
  expect(await telltale("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test.each(Object.keys(commands))("%s --help has an example, the common options, and short lines", async (name) => {
  const { code, out, err } = await telltale(name, "--help");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(new RegExp(`^Usage: telltale ${name}`));
  expect(out).toMatch(new RegExp(`Example:\n  \\$ .*telltale ${name}`));
  for (const option of ["--json", "--quiet", "--help"]) expect(out).toContain(option);
  for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  expect((await telltale("help", name)).out).toBe(out);
});

test("fit --help names every option, its default, and the methods", async () => {
  const { out } = await telltale("fit", "--help");
  const options =
    "clusters method profile seed epochs restarts set network device columns ignore id label encode missing sql array image-size memory out force resume no-groups no-map no-report";
  for (const option of options.split(" ")) expect(out).toContain(`--${option}`);
  for (const method of Object.keys(methods)) expect(out).toContain(method);
  for (const text of ["Clusters:", "Rows:", "Output:", "(default: auto)", "(default: telltale)", "(default: 1)"]) {
    expect(out).toContain(text);
  }
});

const wrong: [words: string, line: RegExp][] = [
  ["fitt", /^telltale: unknown command 'fitt'; did you mean fit\?$/],
  ["xyzzy", /^telltale: unknown command 'xyzzy'; see telltale --help$/],
  ["--vers", /^telltale: unknown option '--vers'; did you mean --version\?$/],
  ["fit a.csv --clustres 3", /^telltale fit: unknown option '--clustres'; did you mean --clusters\?$/],
  ["fit", /^telltale fit: missing required argument 'source'/],
  ["fit a.csv b.csv", /^telltale fit: too many arguments/],
  ["fit a.csv --clusters many", /^telltale fit: option '-k, --clusters <n>' argument 'many' is invalid\. It must be/],
  ["fit a.csv -k=many", /^telltale fit: option '-k, --clusters <n>' argument 'many' is invalid\. It must be/],
  [
    "fit a.csv --restarts 100000000",
    /^telltale fit: telltale: the option restarts must be a whole number from 1 to 1000, got 100000000$/,
  ],
  ["fit a.csv --seed -1", /^telltale fit: option '--seed <n>' argument '-1' is invalid/],
  ["fit a.csv --method tel", /^telltale fit: method: there is no "tel"; did you mean tell\?$/],
  ["fit a.csv --profile papers", /^telltale fit: option '--profile <name>' .* Allowed choices are practical, paper/],
  ["fit a.csv --device tpu", /^telltale fit: option '--device <name>' .* Allowed choices are cpu, gpu, wasm/],
  ["fit a.csv --set latnt=3", /^telltale fit: telltale: there is no option latnt; did you mean latent\?$/],
  ["fit a.csv --set latent=x", /^telltale fit: telltale: the option latent must be a whole number from 0, got "x"$/],
  [
    "fit --resume runs/a --epochs 3",
    /^telltale fit: option '--resume <run>' cannot be used with option '--epochs <n>'/,
  ],
  ["assign", /^telltale assign: missing required argument 'run'; see telltale assign --help$/],
  ["fit a.csv --sql select", /^telltale fit: give either a source or --sql, not both$/],
  ["inspect a.csv --sql select", /^telltale inspect: give either a source or --sql, not both$/],
  ["assign runs/a a.csv --sql select", /^telltale assign: give either a source or --sql, not both$/],
  ["explain runs/a a.csv --row 1 --sql select", /^telltale explain: give either a source or --sql, not both$/],
  ["assign runs/a", /^telltale assign: missing required argument 'source'/],
  ["assign runs/a b.csv --format xls", /^telltale assign: option '--format <name>' .* csv, jsonl, parquet/],
  ["assign runs/a b.csv --format parquet", /^telltale assign: parquet cannot go to standard output; .*--out$/],
  ["stream runs/a --follow", /^telltale stream: --follow waits at the end of a file/],
  ["stream runs/a --rate 2", /^telltale stream: option '--rate <share>' argument '2' is invalid/],
  [
    "explain runs/a",
    /^telltale explain: say which row: its number with --row, or what it is called with --id \(one of the two\)$/,
  ],
  ["compare runs/a", /^telltale compare: missing required argument 'b'/],
  ["export runs/a --target onx", /^telltale export: option '--target <name>' .* onnx, safetensors, csv, parquet, sql/],
  ["methods tel", /^telltale methods: method: there is no "tel"; did you mean tell\?$/],
];

test.each(wrong)("telltale %s is wrong usage, said in one line", async (words, line) => {
  const { code, out, err } = await telltale(...words.split(" "));
  expect(out).toBe("");
  expect(err.split("\n")).toEqual([expect.stringMatching(line), ""]);
  expect(code).toBe(2);
});

test("methods lists them all, for people and as JSON", async () => {
  const [text, json] = [await telltale("methods"), await telltale("methods", "--json")];
  const listed = JSON.parse(json.out) as { name: string; about: string; paper: string }[];
  const taught = toldNames.filter((name) => !Object.hasOwn(methods, name));
  expect(listed.map(({ name }) => name)).toEqual([...Object.keys(methods), ...taught]);
  for (const { name, about } of listed) {
    expect(text.out.replace(/ +/g, " ")).toContain(`${name} ${about.slice(0, 30)}`);
  }
});

test.each([...Object.keys(methods), "ssc", "lsc-k"])(
  "methods %s shows every option and what it may be",
  async (name) => {
    const own = Object.keys(methodOf(name).options);
    const { out } = await telltale("methods", name);
    for (const option of [...own, ...Object.keys(sharedOptions)]) expect(out).toMatch(new RegExp(`^  ${option}=`, "m"));
    for (const line of out.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(100);
    const json = JSON.parse((await telltale("methods", name, "--json")).out);
    expect(json.options.map((option: { name: string }) => option.name)).toEqual(own);
    expect(json.shared[0]).toMatchObject({ name: "network", kind: "choice", allowed: expect.any(String) });
  },
);

test("doctor says what is here", async () => {
  const { code, out } = await telltale("doctor", "--json");
  const found = JSON.parse(out);
  expect(code).toBe(0);
  expect(found.node).toBe(process.versions.node);
  expect(found.devices.map(({ name }: { name: string }) => name)).toEqual(["cpu", "wasm", "gpu"]);
  for (const device of found.devices) expect(device.here ? device.description : device.reason).toMatch(/\w/);
  expect(found.packages.map(({ name }: { name: string }) => name)).toEqual(["@duckdb/node-api", "sharp"]);
});
