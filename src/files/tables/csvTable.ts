/** CSV as a table: its columns by names of their own, its numbers as people write them, vectors in brackets. */

import { isOfText } from "../../data/feature.ts";
import type { WrittenMarks } from "../../data/writtenNumber.ts";
import { oneLine } from "../../text/oneLine.ts";
import type { OpenOptions } from "../openedRows.ts";
import { distinctNames, type Renamed } from "./columnNames.ts";
import { type Csv, findWrongLine, withVectors } from "./csv.ts";
import { type Database, quoteName } from "./database.ts";
import { withInfiniteNumbers } from "./infiniteNumbers.ts";
import { commonMark, listed, surveyNumbers, withWrittenNumbers } from "./writtenNumbers.ts";

export interface Table {
  /** What stands after `from` in a query. */
  readonly relation: string;
  /** What was found that somebody might not expect, a few words each. */
  readonly said: readonly string[];
  readonly marks: WrittenMarks;
}

interface Meant extends Pick<OpenOptions, "id" | "label" | "teacher" | "encode" | "like"> {
  /** Texts stay texts, whatever they look like. */
  readonly isAsWritten?: boolean;
}

export async function csvTable(database: Database, csv: Csv, options: Meant): Promise<Table> {
  const plain = await columnsOf(database, csv, csv.relation);
  const surveyed = await surveyNumbers(database, plain.relation, textsIn(plain.described, options));
  const mark = commonMark(surveyed);
  // What was read with points before is read again: 1.234 may stand for more than a thousand.
  const read = mark === "comma" ? await columnsOf(database, csv, csv.withCommas) : plain;
  const surveys =
    read === plain ? surveyed : await surveyNumbers(database, read.relation, textsIn(read.described, options));
  const usual = mark ?? (csv.separator === ";" ? "comma" : "point");
  const numbers = withWrittenNumbers(read.relation, surveys, {
    usual,
    fitted: options.like?.marks,
    isPlainText: read !== plain,
  });
  const withCommas = read === plain ? [] : doublesIn(read.described);
  const marks = { ...Object.fromEntries(withCommas.map((name) => [name, "comma" as const])), ...numbers.marks };
  const finite = await withInfiniteNumbers(database, numbers.relation, read.described);
  const others = read.described.filter(([name]) => !Object.hasOwn(numbers.marks, String(name)));
  return {
    relation: await withVectors(database, finite, others),
    marks,
    said: [
      ...renamedWords(read.changed),
      ...(withCommas.length > 0
        ? [`reading decimal commas (${listed(withCommas.map((name) => oneLine(name, 40)))})`]
        : []),
      ...numbers.said,
    ],
  };
}

function renamedWords(changed: Renamed["changed"]): string[] {
  if (changed.length === 0) return [];
  const names = listed(changed.map(([, to]) => oneLine(to, 40)));
  return [
    changed.length === 1
      ? `a column whose name was taken is called ${names}`
      : `${changed.length} columns whose names were taken are called ${names}`,
  ];
}

interface Columns extends Pick<Renamed, "changed"> {
  readonly relation: string;
  readonly described: readonly unknown[][];
}

async function columnsOf(database: Database, csv: Csv, relation: string): Promise<Columns> {
  const described = await database.described(relation).catch(async (error) => {
    await findWrongLine(database, csv);
    throw error;
  });
  const found = described.map(([name]) => String(name));
  const { names, changed } = await namesIn(database, csv, found);
  if (changed.length === 0) return { relation, described, changed };
  return {
    relation: `(select * from ${relation} as t(${names.map(quoteName).join(", ")}))`,
    described: described.map(([, ...rest], i) => [names[i], ...rest]),
    changed,
  };
}

/** DuckDB calls the second of two columns a something like a_1, and nobody could tell which is meant. */
async function namesIn(database: Database, { unnamed }: Csv, found: readonly string[]): Promise<Renamed> {
  const same = { names: found, changed: [] };
  const known = new Set(found.map((name) => name.toLowerCase()));
  if (!found.some((name) => /_\d+$/.test(name) && known.has(name.replace(/_\d+$/, "").toLowerCase()))) return same;
  const [first = []] = await database.rows(`select * from ${unnamed} limit 1`);
  const isHeader = first.length === found.length && first.some((cell, i) => cell !== null && cell === found[i]);
  return isHeader ? distinctNames(first.map((cell) => (cell === null ? "" : String(cell)))) : same;
}

/** What somebody has said is to be taken as it is written. */
function textsIn(described: readonly unknown[][], { id, label, teacher, encode, like, isAsWritten }: Meant): string[] {
  if (isAsWritten) return [];
  const categories = like?.features?.filter(isOfText).map(({ column }) => column) ?? [];
  const meant = new Set([...[id ?? []].flat(), label, teacher, ...(encode ?? []), ...categories]);
  return described.flatMap(([name, type]) => (type === "VARCHAR" && !meant.has(String(name)) ? [String(name)] : []));
}

function doublesIn(described: readonly unknown[][]): string[] {
  return described.flatMap(([name, type]) => (type === "DOUBLE" ? [String(name)] : []));
}
