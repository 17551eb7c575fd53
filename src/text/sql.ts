/** Texts and names as literals of SQL, which each engine writes in its own way. */

import { terminalText } from "./terminalText.ts";
import { halvesEscaped, hasUnseen, pointEscaped, replaceUnseen } from "./unseen.ts";

export interface SqlDialect {
  text(value: string): string;
  name(name: string): string;
  /** Whether two names are one that differ in case only. */
  readonly foldsCase: boolean;
  /** What is wrong with a name that no column can have there. */
  misfit(name: string): string | undefined;
}

export const duckDb: SqlDialect = {
  // Its parser takes a NUL for the end of the query.
  text: (value) =>
    value.includes("\0") ? `(${value.split("\0").map(inQuotes).join(" || chr(0) || ")})` : inQuotes(value),
  name: (name) => doubled(name.replaceAll("\0", "\ufffd"), '"'),
  foldsCase: true,
  misfit: (name) => (name === "" ? "is empty" : name.includes("\0") ? "has a NUL" : undefined),
};

export const bigQuery: SqlDialect = {
  // It has no halves of pairs.
  text: (value) => backslashed(value.replace(/\p{Cs}/gu, "\ufffd"), "'", pointEscaped),
  name: (name) => backslashed(name.replace(/\p{Cs}/gu, "\ufffd"), "`", pointEscaped),
  foldsCase: true,
  misfit: (name) =>
    misfitting(name) ??
    (/[!"$()*,./;?@[\\\]^`{}~]/.test(name)
      ? 'has one of !"$()*,./;?@[\\]^`{}~'
      : name.length > 300
        ? "has more than 300 characters"
        : undefined),
};

export const oracle: SqlDialect = {
  text: (value) => (hasUnseen(value) || value.includes("&") ? `UNISTR(${inQuotes(unistr(value))})` : inQuotes(value)),
  name: (name) => doubled(onOneLine(name), '"'),
  foldsCase: false,
  misfit: (name) =>
    misfitting(name) ??
    (name.includes('"')
      ? 'has a "'
      : new TextEncoder().encode(name).length > 128
        ? "has more than 128 bytes"
        : undefined),
};

/** A line that engines skip. Some go on with it where it ends in a backslash. */
export function sqlComment(text: string): string {
  return `-- ${terminalText(text).replace(/\\$/, "\\ ")}`;
}

function misfitting(name: string): string | undefined {
  return name === "" ? "is empty" : hasUnseen(name) ? "has a character that nobody sees" : undefined;
}

/** A name that no engine has is written as one that it can have: a line break in it may end a statement. */
function onOneLine(name: string): string {
  return replaceUnseen(name, () => "_");
}

function inQuotes(text: string): string {
  return doubled(text, "'");
}

/** As the standard has it: a quote inside is written twice. */
function doubled(text: string, quote: string): string {
  return `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
}

/** As many engines have it: a backslash before what would end the text or break its line. */
function backslashed(text: string, quote: string, escaped: (character: string) => string): string {
  const inside = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return `${quote}${replaceUnseen(inside, escaped)}${quote}`;
}

/** Oracle's way to write characters by their numbers. SQL*Plus asks for the value of &name even inside quotes. */
function unistr(value: string): string {
  const inside = replaceUnseen(value.replaceAll("\\", "\\\\"), (character) =>
    halvesEscaped(character).replaceAll("\\u", "\\"),
  );
  return inside.replaceAll("&", "\\0026");
}
