/** An Excel workbook: its sheets, and the cells of one of them as text. */

import { type XmlEvent, XmlReader } from "../../formats/xml.ts";
import { checkMemory, memoryLimit } from "../../tensor/budget.ts";
import { oneLine } from "../../text/oneLine.ts";
import { openZip, type Zip } from "../arrays/zip.ts";
import type { Bytes } from "../kept/bytes.ts";
import type { OpenOptions } from "../openedRows.ts";

/** What Excel can have. */
const mostColumns = 2 ** 14;
const mostRows = 2 ** 20;
/** Of a cell, in letters. */
const mostLetters = 2 ** 15 - 1;
/** More sheets than this are no workbook. */
const mostSheets = 2 ** 12;

/** Those of its cells that have a value, by their column. */
export type SheetRow = ReadonlyMap<number, string>;

export interface Sheet {
  readonly name: string;
  /** How many there are. */
  readonly of: number;
  /** Every row that has a cell, anew with each call. */
  rows(): AsyncGenerator<SheetRow>;
  /** Its size in the workbook, unpacked, in bytes. */
  readonly bytes: number;
  close(): Promise<void>;
}

interface Listed {
  readonly name: string;
  readonly id: string;
}

export async function openSheet(
  path: string,
  where: string,
  { table: wanted, memory, signal }: OpenOptions,
): Promise<Sheet> {
  const zip = await openZip(path, where, { cure: "save it anew in Excel", signal });
  try {
    const book = zip.names.find((entry) => /(^|\/)workbook\.xml$/i.test(entry));
    if (book === undefined) throw new RangeError(`${where}: is no Excel workbook: there is no workbook.xml in it`);
    const folder = book.slice(0, book.lastIndexOf("/") + 1);
    const { sheets, isFrom1904 } = await sheetsIn(zip, book, where);
    const sheet = chosen(where, sheets, wanted);
    const texts = await textsIn(zip, `${folder}sharedStrings.xml`, where, memory);
    const isDay = await dayStyles(zip, `${folder}styles.xml`, where);
    const bytes = await zip.take(await placeOf(zip, folder, sheet, where));
    return {
      name: sheet.name,
      of: sheets.length,
      bytes: bytes.size,
      rows: () => rowsIn(bytes, where, { texts, isDay, isFrom1904 }),
      close: () => bytes.close(),
    };
  } finally {
    zip.close();
  }
}

/** The elements of a part of the workbook; none where it is not there. */
async function* eventsOf(zip: Zip, part: string, where: string): AsyncGenerator<XmlEvent[]> {
  if (!zip.names.includes(part)) return;
  const bytes = await zip.take(part);
  try {
    yield* eventsIn(bytes, where);
  } finally {
    await bytes.close();
  }
}

/** In bytes, what is read at once. */
const atOnce = 2 ** 16;

async function* eventsIn(bytes: Bytes, where: string): AsyncGenerator<XmlEvent[]> {
  const reader = new XmlReader();
  const decoder = new TextDecoder("utf-8");
  try {
    for (let at = 0; at < bytes.size; at += atOnce) {
      const piece = await bytes.read(at, Math.min(atOnce, bytes.size - at));
      yield [...reader.read(decoder.decode(piece, { stream: true }))];
    }
    reader.end();
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${where}: ${error.message}`) : error;
  }
}

async function sheetsIn(zip: Zip, book: string, where: string): Promise<{ sheets: Listed[]; isFrom1904: boolean }> {
  const sheets: (Listed & { readonly isHidden: boolean })[] = [];
  let isFrom1904 = false;
  for await (const events of eventsOf(zip, book, where)) {
    for (const event of events) {
      if (event.kind !== "open") continue;
      const { name, attributes } = event;
      if (name === "workbookPr") isFrom1904 = /^(1|true)$/.test(attributes.get("date1904") ?? "");
      if (name !== "sheet") continue;
      const isHidden = /hidden/i.test(attributes.get("state") ?? "");
      sheets.push({ name: attributes.get("name") ?? "", id: attributes.get("id") ?? "", isHidden });
      if (sheets.length > mostSheets) throw new RangeError(`${where}: can have up to ${mostSheets} sheets, has more`);
    }
  }
  // What is shown comes first.
  return { sheets: [...sheets].sort((a, b) => Number(a.isHidden) - Number(b.isHidden)), isFrom1904 };
}

function chosen(where: string, sheets: readonly Listed[], wanted: string | undefined): Listed {
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted);
  if (sheet) return sheet;
  const has = sheets.slice(0, 8).map(({ name }) => oneLine(name, 40));
  throw new RangeError(
    wanted === undefined
      ? `${where}: has no sheet`
      : `${where}: --table must name one of its sheets, got "${oneLine(wanted, 40)}"; it has ${has.join(", ") || "none"}${sheets.length > 8 ? ` and ${sheets.length - 8} more` : ""}`,
  );
}

/** Which part of the zip a sheet is. */
async function placeOf(zip: Zip, folder: string, { id, name }: Listed, where: string): Promise<string> {
  let target: string | undefined;
  for await (const events of eventsOf(zip, `${folder}_rels/workbook.xml.rels`, where)) {
    for (const event of events) {
      if (event.kind === "open" && event.name === "Relationship" && event.attributes.get("Id") === id) {
        target = event.attributes.get("Target");
      }
    }
  }
  const place = target?.startsWith("/") ? target.slice(1) : `${folder}${target}`;
  if (target !== undefined && zip.names.includes(place)) return place;
  throw new RangeError(`${where}: the sheet "${oneLine(name, 40)}" is not in it; is it damaged?`);
}

/** Texts are kept once for all cells that have them; of a text with several looks, the parts come one after another. */
async function textsIn(zip: Zip, part: string, where: string, memory: number | undefined): Promise<string[]> {
  const limit = memoryLimit(memory);
  const texts: string[] = [];
  let [text, isText, isSound, letters] = ["", false, false, 0];
  for await (const events of eventsOf(zip, part, where)) {
    for (const event of events) {
      if (event.kind === "text") {
        if (isText && !isSound) text = longer(where, text, event.text);
      } else if (event.name === "t") isText = event.kind === "open";
      else if (event.name === "rPh") isSound = event.kind === "open";
      else if (event.name === "si") {
        if (event.kind === "open") text = "";
        else {
          texts.push(text);
          letters += text.length;
        }
      }
    }
    const what = `${texts.length} texts of ${letters} letters`;
    checkMemory({ where, what, bytes: 2 * letters + 100 * texts.length }, limit);
  }
  return texts;
}

/** Formats that come with Excel and show days or times. */
const isDayFormat = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** Of each style of cells, whether it shows a number as a day or a time. */
async function dayStyles(zip: Zip, part: string, where: string): Promise<boolean[]> {
  const own = new Map<number, boolean>();
  const styles: boolean[] = [];
  let isInCells = false;
  for await (const events of eventsOf(zip, part, where)) {
    for (const event of events) {
      if (event.kind === "text") continue;
      if (event.name === "cellXfs") isInCells = event.kind === "open";
      if (event.kind !== "open") continue;
      const format = Number(event.attributes.get("numFmtId") ?? 0);
      if (event.name === "numFmt") own.set(format, showsDay(event.attributes.get("formatCode") ?? ""));
      else if (event.name === "xf" && isInCells) styles.push(own.get(format) ?? isDayFormat(format));
      if (styles.length > 2 ** 16) throw new RangeError(`${where}: can have up to ${2 ** 16} styles, has more`);
    }
  }
  return styles;
}

/** Letters for days and times, outside of quotes and brackets such as colors. */
function showsDay(code: string): boolean {
  return /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]|General/gi, ""));
}

function longer(where: string, text: string, more: string): string {
  if (text.length + more.length <= mostLetters) return text + more;
  throw new RangeError(`${where}: a cell can have up to ${mostLetters} letters, one has more; is it damaged?`);
}

interface Meaning {
  readonly texts: readonly string[];
  readonly isDay: readonly boolean[];
  readonly isFrom1904: boolean;
}

async function* rowsIn(bytes: Bytes, where: string, meaning: Meaning): AsyncGenerator<SheetRow> {
  let cells = new Map<number, string>();
  let [column, count, type, style, value, isValue] = [-1, 0, "", 0, "", false];
  for await (const events of eventsIn(bytes, where)) {
    for (const event of events) {
      if (event.kind === "text") {
        if (isValue) value = longer(where, value, event.text);
      } else if (event.name === "v" || event.name === "t") isValue = event.kind === "open";
      else if (event.name === "c" && event.kind === "open") {
        const { attributes } = event;
        column = columnOf(attributes.get("r")) ?? column + 1;
        [type, style, value] = [attributes.get("t") ?? "n", Number(attributes.get("s") ?? 0), ""];
        if (column >= mostColumns) throw new RangeError(`${where}: can have up to ${mostColumns} columns, has more`);
      } else if (event.name === "c") {
        const text = value === "" ? "" : cellText(type, style, value, meaning);
        if (text !== "") cells.set(column, text);
      } else if (event.name === "row" && event.kind === "open") [cells, column] = [new Map(), -1];
      else if (event.name === "row" && cells.size > 0) {
        if (++count > mostRows) throw new RangeError(`${where}: can have up to ${mostRows} rows, has more`);
        yield cells;
      }
    }
  }
}

/** A is 0, Z is 25, AA is 26; nothing where a cell does not say. */
function columnOf(place: string | undefined): number | undefined {
  const [, letters] = /^([A-Z]{1,4})\d*$/.exec(place ?? "") ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((number, letter) => 26 * number + letter.charCodeAt(0) - 64, 0) - 1;
}

/** As CSV has it; what is an error to Excel is missing. */
function cellText(type: string, style: number, value: string, { texts, isDay, isFrom1904 }: Meaning): string {
  if (type === "s") return texts[Number(value)] ?? "";
  if (type === "b") return value === "1" || value === "true" ? "true" : "false";
  if (type === "e") return "";
  const number = type === "n" ? Number(value) : Number.NaN;
  return isDay[style] && Number.isFinite(number) ? dayText(number, isFrom1904) : value;
}

/** The last day that is a date; it is the year 9999. */
const lastDay = 2_958_465;

/** Days since the end of 1899, or of 1903; Excel has a day too many in February 1900. */
function dayText(serial: number, isFrom1904: boolean): string {
  const days = isFrom1904 ? serial + 1462 : serial;
  if (days < 0 || days > lastDay) return String(serial);
  const seconds = Math.round((days + (days < 60 ? 1 : 0)) * 86_400_000 - Date.UTC(1970, 0, 1) + Date.UTC(1899, 11, 30));
  const text = new Date(seconds).toISOString().replace("T", " ").replace("Z", "");
  if (days < 1) return text.slice(11).replace(/\.000$/, "");
  return text.replace(/ 00:00:00\.000$/, "").replace(/\.000$/, "");
}
