/** Rows for streams: numbers around three places that drift, and names that a careless reader would trip over. */

import { Random } from "../../src/tensor/random.ts";
import { blobs } from "../support/blobs.ts";
import { columns } from "../support/run.ts";

const oddNames = [
  'say "hi"',
  "two\nlines",
  "a,b;c|d",
  "naïve – 日本 🦉",
  "",
  "NA",
  "cr\r\nlf",
  " spaces ",
  '"',
  "plain",
];

export function someRows(n: number): { name: string; note: string; numbers: number[] }[] {
  const { rows } = blobs(n, { deviation: 0.08, seed: 3 });
  return Array.from({ length: n }, (_, i) => ({
    name: `${oddNames[i % oddNames.length]}${i % oddNames.length === 4 || i % oddNames.length === 5 ? "" : i}`,
    note: oddNames[(7 * i + 3) % oddNames.length]!,
    numbers: Array.from(rows.data.slice(4 * i, 4 * i + 4), (value) => value + (0.2 * i) / n),
  }));
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The columns in another order than the run has them, with a name and a column that is not used. */
export function asCsv(
  rows: ReturnType<typeof someRows>,
  { separator = ",", lineBreak = "\n", last = true } = {},
): string {
  const names = ["note", columns[2]!, columns[0]!, "name", columns[1]!, columns[3]!];
  const lines = rows.map(({ name, note, numbers: [a, b, c, d] }) => [quoted(note), c, a, quoted(name), b, d]);
  const text = [names, ...lines].map((cells) => cells.join(separator)).join(lineBreak);
  return `${text}${last ? lineBreak : ""}`;
}

export function asJson(rows: ReturnType<typeof someRows>): string {
  return rows
    .map(({ name, note, numbers: [a, b, c, d] }) =>
      JSON.stringify({ note, [columns[2]!]: c, [columns[0]!]: a, name, [columns[1]!]: b, [columns[3]!]: d }),
    )
    .join("\n")
    .concat("\n");
}

/** The bytes of a text in pieces of random sizes, which part characters and quotes anywhere. */
export async function* inPieces(text: string, seed: number, most = 400): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const random = Random.seeded(seed);
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(most);
    yield bytes.slice(at, at + size);
    at += size;
    if (random.below(4) === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
