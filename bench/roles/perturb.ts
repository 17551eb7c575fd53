/** The same files as somebody else would have them: other names, orders, separators, commas and encodings. */

import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { duckDb } from "../../src/text/sql.ts";

export interface Perturbed {
  readonly path: string;
  /** What a column is called now. */
  readonly name: (column: string) => string;
  /** Whether a column of this role can still be known. */
  readonly keeps: (role: string) => boolean;
}

type Perturb = (path: string, folder: string) => Promise<Perturbed | undefined>;

interface Change {
  readonly name?: (column: string, place: number) => string;
  readonly shuffled?: boolean;
  readonly separator?: string;
  readonly decimalComma?: boolean;
  readonly encoding?: BufferEncoding;
  readonly keeps?: (role: string) => boolean;
}

const spaced = (column: string): string =>
  column === ""
    ? column
    : words(column)
        .map((word) => word[0]!.toUpperCase() + word.slice(1))
        .join(" ");
const snake = (column: string): string => words(column).join("_").toUpperCase();
const camel = (column: string): string =>
  words(column)
    .map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join("");

export const perturbations: Readonly<Record<string, Perturb>> = {
  "rows and columns shuffled": changed({ shuffled: true }),
  "Names With Spaces": changed({ name: spaced }),
  NAMES_IN_CAPITALS: changed({ name: snake }),
  namesInOne: changed({ name: camel }),
  // What only a name can tell is lost: labels, moments in numbers, keys that repeat.
  "names that tell nothing": changed({ name: (_, i) => `v${i + 1}`, keeps: (role) => /^(feature|id|text)/.test(role) }),
  semicolons: changed({ separator: ";" }),
  tabs: changed({ separator: "\t" }),
  "decimal commas": changed({ separator: ";", decimalComma: true }),
  "Latin-1": changed({ encoding: "latin1" }),
  "UTF-16": changed({ encoding: "utf16le" }),
};

function words(column: string): string[] {
  return column
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}#$%()/]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

function changed({
  name,
  shuffled = false,
  separator = ",",
  decimalComma = false,
  encoding,
  keeps = () => true,
}: Change): Perturb {
  return async (path, folder) => {
    const isJson = path.endsWith(".json");
    const out = join(folder, basename(path).replace(/\.\w+$/, separator === "\t" ? ".tsv" : ".csv"));
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      const from = isJson
        ? `read_json('${path}')`
        : `read_csv('${path}', all_varchar = true, header = true, sample_size = -1)`;
      await connection.run(`create table t as select * from ${from}`);
      const described = (await connection.runAndReadAll("describe t")).getRowsJS().map(([column]) => String(column));
      const names = new Map<string, string>();
      const cells = described.map((column, i) => {
        const old = /^column0*$/.test(column) ? "" : column;
        const now = name ? name(old, i) : old;
        names.set(old, now);
        const text = `${duckDb.name(column)}::varchar`;
        const comma = `case when regexp_full_match(${text}, '-?\\d+\\.\\d+') then replace(${text}, '.', ',') else ${text} end`;
        return `${decimalComma ? comma : text} as ${duckDb.name(now || " ")}`;
      });
      if (new Set(names.values()).size < names.size) return undefined;
      if (shuffled) cells.sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
      const order = shuffled ? ` order by hash(${described.map(duckDb.name).join(", ")})` : "";
      await connection.run(
        `copy (select ${cells.join(", ")} from t${order}) to '${out}' (format csv, header true, delimiter '${separator}')`,
      );
      if (encoding) {
        const text = await readFile(out, "utf8");
        const mark = encoding === "utf16le" ? "\ufeff" : "";
        if (encoding === "latin1" && Buffer.from(text, "latin1").toString("latin1") !== text) return undefined;
        await writeFile(out, Buffer.from(mark + text, encoding));
      }
      return { path: out, name: (column) => names.get(column) || "", keeps };
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  };
}

/** A fixed disorder. */
function hash(text: string): number {
  let h = 7;
  for (const letter of text) h = (h * 31 + letter.codePointAt(0)!) % 1000003;
  return h;
}
