/** What kind of text comes in, and what its columns are called: the first byte tells, then the first line. */

import { BadRow } from "./cells.ts";
import type { Beginning, LineIntake } from "./intake.ts";
import type { Line, LineReader } from "./lineReader.ts";
import { csvHeader, type Header, jsonHeader } from "./records.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Without the mark that some editors write before all text. */
export function textOf({ bytes, number, unclosed }: Line): string {
  if (unclosed) throw new BadRow('has a quote (") that is opened and never closed');
  try {
    const text = decoder.decode(bytes);
    return number === 1 ? text.replace(/^\ufeff/, "") : text;
  } catch {
    throw new BadRow("must be UTF-8; convert other text: iconv -f WINDOWS-1252 -t UTF-8");
  }
}

/** Sets up the reader for lines of this kind. */
export function readAs(reader: LineReader, { separator }: Header): void {
  reader.separators = separator === undefined ? undefined : [separator.charCodeAt(0)];
}

/**
 * The header, and the first line where it is a row as well; nothing where the input has ended or was stopped before.
 */
export async function headerOf(where: string, intake: LineIntake, reader: LineReader): Promise<Beginning | undefined> {
  const byte = await intake.firstByte();
  if (byte === undefined) return undefined;
  const first = String.fromCharCode(byte);
  if (first === "[") throw new TypeError(`${where}: must have one JSON object in each line, got a list of them`);
  // No character begins with such a byte in UTF-8.
  if (byte === 0 || (byte >= 0x80 && byte < 0xc2) || byte > 0xf4) {
    throw new TypeError(
      `${where}: must be CSV or JSON lines in UTF-8; unpack it, or convert it: iconv -f UTF-16 -t UTF-8`,
    );
  }
  reader.separators = first === "{" ? undefined : [",", "\t", ";", "|"].map((each) => each.charCodeAt(0));
  let line = await intake.next();
  while (line?.bytes.every((each) => each <= 32)) line = await intake.next();
  if (!line) return undefined;
  try {
    const text = textOf(line);
    const header = first === "{" ? jsonHeader(text) : csvHeader(text);
    readAs(reader, header);
    return { header, ...(first === "{" && { line }) };
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    throw new RangeError(`${where}: line ${line.number}: ${error.message}`);
  }
}
