/** Words that no command understands, places where nothing can be written, and queries that do more than read. */

import { type Files, failing, fitted, type Malformed, unfit } from "./input.ts";
import { runFiles } from "./runs.ts";

const good = "a,b\n1,2\n2,1\n8,9\n9,8\n";

function wrongWords(words: string): Malformed {
  return { what: words.slice(0, 80), files: { "a.csv": good }, words: words.split(" "), code: 2 };
}

const usage: Malformed[] = [
  "fitt @/a.csv",
  "fit",
  "fit @/a.csv @/b.csv --out @/out",
  "fit @/a.csv --out @/out -k 0",
  "fit @/a.csv --out @/out -k -3",
  "fit @/a.csv --out @/out -k 2.5",
  "fit @/a.csv --out @/out -k many",
  "fit @/a.csv --out @/out -k NaN",
  "fit @/a.csv --out @/out -k 5-2",
  "fit @/a.csv --out @/out -k 99999999999999999999",
  "fit @/a.csv --out @/out -k 2-99999999999999999999",
  "fit @/a.csv --out @/out -k",
  "fit @/a.csv --out @/out --seed x",
  "fit @/a.csv --out @/out --seed -1",
  "fit @/a.csv --out @/out --seed 1e99",
  "fit @/a.csv --out @/out --epochs many",
  "fit @/a.csv --out @/out --restarts 0",
  "fit @/a.csv --out @/out --memory 1",
  "fit @/a.csv --out @/out --image-size 0",
  "fit @/a.csv --out @/out --method tel",
  "fit @/a.csv --out @/out --method __proto__",
  "fit @/a.csv --out @/out --method constructor",
  "fit @/a.csv --out @/out --device tpu",
  "fit @/a.csv --out @/out --profile fast",
  "fit @/a.csv --out @/out --missing median",
  "fit @/a.csv --out @/out --set latent",
  "fit @/a.csv --out @/out --set latent=-1",
  "fit @/a.csv --out @/out --set latent=x",
  "fit @/a.csv --out @/out --set nothing=1",
  "fit @/a.csv --out @/out --set __proto__=1",
  "fit @/a.csv --out @/out --set hidden=1,x",
  "fit @/a.csv --out @/out --columns a,,b",
  "fit @/a.csv --out @/out --clustres 2",
  `fit @/a.csv --out @/out --${"x".repeat(5000)}`,
  `fit @/a.csv --out @/out -k ${"9".repeat(5000)}`,
  `fit @/a.csv --out @/out -k ${"x".repeat(5000)}`,
  `fit @/a.csv --out @/out --set ${"x".repeat(5000)}=1`,
  `fit @/a.csv --out @/out --method ${"x".repeat(5000)}`,
  `fit @/a.csv --out @/out --\u001b[31mred`,
  "assign @/run",
  "assign @/run @/a.csv --format xls",
  "assign @/run @/a.csv --format parquet",
  "explain @/run",
  "explain @/run --row -1",
  "explain @/run --row first",
  "export @/run --target onx --out @/out",
  "compare @/run",
  "stream @/run @/a.csv --rate 7 --out @/out",
  "methods tel",
].map(wrongWords);

const places: Malformed[] = [
  unfit("more clusters than rows", "a.csv", good, "-k", "5"),
  unfit("a range beyond the rows", "a.csv", good, "-k", "2-9"),
  unfit("a column that is not there", "a.csv", good, "--columns", "a,c"),
  unfit("the same column twice", "a.csv", good, "--columns", "a,a"),
  unfit("an id that is not there", "a.csv", good, "--id", "c"),
  unfit("a label that is not there", "a.csv", good, "--label", "c"),
  unfit("everything ignored", "a.csv", good, "--ignore", "a,b"),
  unfit("a column name of 5,000 letters", "a.csv", good, "--columns", "c".repeat(5000)),
  unfit("an encoder that is not there", "a.csv", good, "--network", "@/none.onnx"),
  unfit("an encoder that is none", "a.csv", good, "--network", "@/a.csv"),
  failing("no file", {}, "fit", "@/none.csv", ...fitted),
  failing("no folder", {}, "fit", "@/none/", ...fitted),
  failing("a file in a file", { "a.csv": good }, "fit", "@/a.csv/b.csv", ...fitted),
  failing("a name of 5,000 letters", {}, "fit", `@/${"n".repeat(5000)}.csv`, ...fitted),
  failing("a name with a zero byte", {}, "fit", "@/a\0b.csv", ...fitted),
  failing("an unknown kind of file", { "a.docx": "hello" }, "fit", "@/a.docx", ...fitted),
  failing("no kind of file", { a: good }, "fit", "@/a", ...fitted),
  failing("a folder that is there", { "a.csv": good, "out/b.txt": "mine" }, "fit", "@/a.csv", ...fitted),
  failing(
    "a folder that is no run, by force",
    { "a.csv": good, "out/b.txt": "mine" },
    "fit",
    "@/a.csv",
    ...fitted,
    "--force",
  ),
  failing("a file where a folder should be", { "a.csv": good, out: "mine" }, "fit", "@/a.csv", ...fitted),
  failing("a folder in a file", { "a.csv": good }, "fit", "@/a.csv", "-k", "2", "--out", "@/a.csv/out"),
  failing("a folder in the kernel", { "a.csv": good }, "fit", "@/a.csv", "-k", "2", "--out", "/proc/telltale"),
  failing(
    "a folder of 5,000 letters",
    { "a.csv": good },
    "fit",
    "@/a.csv",
    "-k",
    "2",
    "--out",
    `@/${"o".repeat(5000)}`,
  ),
];

function queries(): Malformed[] {
  const query = (what: string, sql: string): Malformed =>
    failing(what, { "a.csv": good }, "fit", "--sql", sql, ...fitted);
  return [
    query("two queries", "select 1 a; select 2 a"),
    query("a query and a deed", "select 1 a; copy (select 1) to '@/stolen.csv'"),
    query("a query that writes", "copy (select 1 a) to '@/stolen.csv'"),
    query("a query that makes a table", "create table t as select 1 a"),
    query("a query that sets", "set memory_limit = '100GB'"),
    query("a query that attaches", "attach '@/stolen.db'"),
    query("a query that installs", "install httpfs"),
    query("a query that leaves the brackets", "select 1 a) ; copy (select 1) to '@/stolen.csv' --"),
    query("no query", " ; "),
    query("a slip", "selct 1"),
    query("a comment", "-- nothing"),
    query("a file that is not there", "select * from '@/none.parquet'"),
    query("a table that is not there", "select * from nothing"),
    query("a column that is not there", "select c from '@/a.csv'"),
    query("a page of the network", "select * from 'https://example.com/a.parquet'"),
    query("no rows", "select * from '@/a.csv' where a > 100"),
    query("no numbers", "select 'x' a from range(9)"),
    query("a word as a number", "select 'x'::int a"),
    query("a query of 50,000 letters", `select ${"x".repeat(50_000)}`),
    failing(
      "a query that never fits",
      {},
      "fit",
      "--sql",
      "select list(i) v from range(40000000) t(i)",
      "--memory",
      "100",
      ...fitted,
    ),
  ];
}

/** Where rows are written that a run has assigned. */
function outputs(run: Files, rows: string): Malformed[] {
  const output = (what: string, files: Files, ...words: string[]): Malformed =>
    failing(what, { ...runFiles(run), "rows.csv": rows, ...files }, ...words);
  return [
    output("a file that is there", { out: "mine" }, "assign", "@/run", "@/rows.csv", "--out", "@/out"),
    output("a folder that is there", { "out/b.txt": "mine" }, "assign", "@/run", "@/rows.csv", "--out", "@/out"),
    output(
      "a folder that is there, by force",
      { "out/b.txt": "mine" },
      "assign",
      "@/run",
      "@/rows.csv",
      "--out",
      "@/out",
      "--force",
    ),
    output("a folder in a file", {}, "assign", "@/run", "@/rows.csv", "--out", "@/rows.csv/out.csv"),
    output("a file of the kernel", {}, "assign", "@/run", "@/rows.csv", "--out", "/proc/telltale.csv"),
    output("an export that is there", { out: "mine" }, "export", "@/run", "--out", "@/out"),
    output("an export onto a folder", { "out/b.txt": "mine" }, "export", "@/run", "--out", "@/out", "--force"),
    output("an export into a file", {}, "export", "@/run", "--out", "@/rows.csv/out.onnx"),
    output("a row that is not there", {}, "explain", "@/run", "@/rows.csv", "--row", "99999999"),
    output("a cluster that is not there", {}, "explain", "@/run", "@/rows.csv", "--row", "1", "--against", "9"),
    output("rows with other columns", { "other.csv": good }, "assign", "@/run", "@/other.csv", "--out", "@/out"),
    output(
      "rows of other columns to stream",
      { "other.csv": good },
      "stream",
      "@/run",
      "@/other.csv",
      "--out",
      "@/out",
    ),
    output("a fit onto a run", { "a.csv": good }, "fit", "@/a.csv", "-k", "2", "--out", "@/run"),
  ];
}

export function malformedWords(run: Files, rows: string): Malformed[] {
  return [...usage, ...places, ...queries(), ...outputs(run, rows)];
}
