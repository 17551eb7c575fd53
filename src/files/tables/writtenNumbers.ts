/** Columns of texts that are numbers as people write them, $1,234 or 85 % or 1.234,5, made columns of numbers. */

import { own } from "../../data/own.ts";
import { type DecimalMark, unitPattern, type WrittenMarks, written, writtenNumber } from "../../data/writtenNumber.ts";
import { oneLine } from "../../text/oneLine.ts";
import { type Database, quoteName, quoteText } from "./database.ts";

interface Survey {
  readonly name: string;
  /** Values that are there; of them, those that are numbers with either mark, and those that any program reads. */
  readonly all: number;
  readonly point: number;
  readonly comma: number;
  readonly plain: number;
  readonly units: number;
  /** One that no program reads, if there is one. */
  readonly example: string;
}

/** Rows by which columns are left out that are no numbers. */
const firstRows = 200;
const columnsAtOnce = 32;
/** In letters. */
const longestNumber = 64;

/** Of the columns of texts, those that are numbers for the greater part. */
export async function surveyNumbers(
  database: Database,
  relation: string,
  texts: readonly string[],
): Promise<readonly Survey[]> {
  if (texts.length === 0) return [];
  // Looked at here: DuckDB takes megabytes for a pattern of each column, and a table may have a thousand.
  const begins = texts.map((name) => `left(${quoteName(name)}, ${longestNumber + 1})`);
  const first = await database.rows(`select ${begins.join(", ")} from ${relation} limit ${firstRows}`);
  const likely = texts.filter((_, i) => areNumbers(first.flatMap((row) => (row[i] === null ? [] : [String(row[i])]))));
  const surveys: Survey[] = [];
  for (let at = 0; at < likely.length; at += columnsAtOnce) {
    surveys.push(...(await counted(database, relation, likely.slice(at, at + columnsAtOnce))));
  }
  return surveys;
}

/** Whether half of them are, with one mark or the other. */
function areNumbers(texts: readonly string[]): boolean {
  const numbers = (mark: DecimalMark): number =>
    texts.filter((text) => text.length <= longestNumber && writtenNumber(text, mark) !== undefined).length;
  return texts.length > 0 && 2 * Math.max(numbers("point"), numbers("comma")) >= texts.length;
}

async function counted(database: Database, relation: string, likely: readonly string[]): Promise<Survey[]> {
  const more = (name: string): string[] => [
    `count(${quoteName(name)})`,
    ...(["point", "comma"] as const).map((mark) => `count(*) filter (where ${isWritten(name, mark)})`),
    `count(try_cast(${quoteName(name)} as double))`,
    `count(distinct nullif(regexp_extract(${quoteName(name)}, ${quoteText(unitPattern)}), ''))`,
    `coalesce(min(${quoteName(name)}) filter (where try_cast(${quoteName(name)} as double) is null), min(${quoteName(name)}))`,
  ];
  const [row] = await database.rows(`select ${likely.flatMap(more).join(", ")} from ${relation}`);
  return likely.map((name, i) => {
    const [all, point, comma, plain, units, example] = row!.slice(6 * i, 6 * i + 6);
    const numbers = { all: Number(all), point: Number(point), comma: Number(comma) };
    return { name, ...numbers, plain: Number(plain), units: Number(units), example: String(example) };
  });
}

/** The decimal mark that the columns vote for which have only one; undefined where none has. */
export function commonMark(surveys: readonly Survey[]): DecimalMark | undefined {
  const votes = surveys
    .filter(({ units }) => units <= 1)
    .map(({ all, point, comma }) => [point === all, comma === all]);
  const points = votes.filter(([point, comma]) => point && !comma).length;
  const commas = votes.filter(([point, comma]) => comma && !point).length;
  return points === commas ? undefined : commas > points ? "comma" : "point";
}

interface MarkOptions {
  /** The mark of a column that could have either. */
  readonly usual: DecimalMark;
  /** That it had in other rows. */
  readonly fitted?: WrittenMarks | undefined;
  /** Whether also numbers are still texts that programs read. */
  readonly isPlainText?: boolean;
}

/**
 * The same table with numbers for such texts. A column with some words among its numbers stays text, its numbers as
 * programs write them: whoever wants numbers of it says which words are in the way.
 */
export function withWrittenNumbers(
  relation: string,
  surveys: readonly Survey[],
  { usual, fitted = {}, isPlainText = false }: MarkOptions,
): { relation: string; marks: WrittenMarks; said: string[] } {
  const [replaced, shown]: [string[], string[]] = [[], []];
  const marks: [column: string, mark: DecimalMark][] = [];
  for (const { name, all, point, comma, plain, units, example } of surveys) {
    if (units > 1) continue;
    const mostly: DecimalMark = point === comma ? (own(fitted, name) ?? usual) : comma > point ? "comma" : "point";
    const isPlain = plain === all && mostly === "point";
    if (isPlain && !isPlainText) continue;
    const isWhole = Math.max(point, comma) === all;
    const number = numberSql(name, mostly);
    const text = `case when ${isWritten(name, mostly)} then (${number})::varchar else ${quoteName(name)} end`;
    replaced.push(`${isWhole ? number : text} as ${quoteName(name)}`);
    if (!isWhole) continue;
    marks.push([name, mostly]);
    if (isPlain) continue;
    shown.push(`${oneLine(name, 40)} (${oneLine(example, 20)} is ${writtenNumber(example, mostly)})`);
  }
  if (replaced.length === 0) return { relation, marks: {}, said: [] };
  return {
    relation: `(select * replace (${replaced.join(", ")}) from ${relation})`,
    marks: Object.fromEntries(marks),
    said: shown.length > 0 ? [`reading numbers as written in ${listed(shown)}`] : [],
  };
}

function isWritten(name: string, mark: DecimalMark): string {
  const column = quoteName(name);
  return `length(${column}) <= ${longestNumber} and regexp_matches(${column}, ${quoteText(written[mark].pattern)})`;
}

function numberSql(name: string, mark: DecimalMark): string {
  const column = quoteName(name);
  const digits = `regexp_replace(${column}, ${quoteText(written[mark].beside)}, '', 'g')`;
  const plain = `replace(replace(${digits}, ',', '.'), '\u2212', '-')`;
  return `try_cast(${plain} as double) * if(contains(${column}, '('), -1, 1)`;
}

/** The first few of what is said. */
export function listed(names: readonly string[]): string {
  return names.length > 4 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
}
