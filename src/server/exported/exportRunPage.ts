/** One run as one file to look at: all answers that the page needs are in it, and its script by its hash. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { addressOf, type Words } from "../../api/address.ts";
import type { Binary, SomeHandlers } from "../../api/handlers.ts";
import type { RouteName } from "../../api/routes.ts";
import type { ClusterCard, RunDescription } from "../../api/runs.ts";
import type { Cell } from "../../api/values.ts";
import type { WrittenRun } from "../../api/written.ts";
import { isThere } from "../../doors/inside.ts";
import { htmlDocument } from "../../text/htmlDocument.ts";
import { version } from "../../version.ts";
import { rowAnswers } from "../answers/rows.ts";
import { runAnswers } from "../answers/runs.ts";
import type { OpenedRun } from "../openedRun.ts";
import { typeOf } from "../replies.ts";
import { RunShelf } from "../runShelf.ts";

/** Rows that a file holds, bytes of their pictures, rows that are read at once, and ways from each cluster. */
const [mostRows, mostPixels, rowsAtOnce, mostWays] = [200_000, 2 ** 26, 20_000, 3];
const what = ["cluster", "second", "confidence", "margin", "distance", "outlier"] as const;

/** Where the build puts the page of such a file. */
const places = ["../../../look/", "../../../dist/look/"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

export interface ExportedRun {
  readonly bytes: number;
  readonly rows: number;
  /** Rows of which the file tells why they are where they are. */
  readonly explained: number;
}

export async function exportRunPage(
  path: string,
  to: string,
  { force }: { readonly force: boolean },
): Promise<ExportedRun> {
  const shelf = new RunShelf({ runs: [path] });
  try {
    const [brief] = await shelf.list();
    const opened = await shelf.get(brief!.id);
    const output = await opened.run.claim(to, { force });
    try {
      const { written, explained } = await writtenRun(shelf, opened, brief!.id);
      const bytes = Buffer.from(await page(opened.run.name, written));
      await output.write(bytes);
      await output.put();
      return { bytes: bytes.length, rows: opened.run.description.source.rows, explained };
    } finally {
      await output.release();
    }
  } finally {
    await shelf.close();
  }
}

/** Asks all that the page would ask, and writes the answers down. */
async function writtenRun(shelf: RunShelf, opened: OpenedRun, run: string) {
  const handlers = { ...runAnswers(shelf, () => false), ...rowAnswers(shelf) };
  type Asking = SomeHandlers<keyof typeof handlers & RouteName>;
  const [answers, numbers]: [Record<string, unknown>, Record<string, WrittenRun["numbers"][string]>] = [{}, {}];
  const ask = async (route: keyof Asking, words: Words = {}, query: Words = {}): Promise<unknown> => {
    const handler = handlers[route] as (asked: object) => Promise<unknown>;
    const path = { run, ...words };
    const reply = await handler({ in: path, query });
    const address = addressOf(route, path, query);
    if (isBinary(reply)) {
      const { buffer, byteOffset, byteLength } = reply.numbers;
      const bytes = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
      numbers[address] = { type: typeOf(reply.numbers), bytes };
    } else answers[address] = reply;
    return reply;
  };
  answers[addressOf("server")] = { version, canFit: false, device: "", folder: "" };
  answers[addressOf("fits")] = [];
  answers[addressOf("runs")] = await shelf.list();
  const description = (await ask("run")) as RunDescription;
  // How it was trained is not in the file.
  answers[addressOf("run", { run })] = { ...description, frames: 0 };
  const { source, clusters, columns } = description;
  if (source.rows > mostRows) {
    throw new RangeError(
      `view --export: a file holds up to ${mostRows} rows, the run has ${source.rows}; look at it with telltale view`,
    );
  }
  if (description.map) await ask("map");
  for (const each of what) await ask("placement", { what: each });
  for (const [column, { form }] of columns.entries()) {
    if (form === "none" || !source.isThere) continue;
    await ask("column", { column });
    if (form === "category") await ask("dictionary", { column });
  }
  const shown = new Set<number>();
  for (const { cluster } of clusters) {
    const card = (await ask("cluster", { cluster })) as ClusterCard;
    for (const { row } of [...card.typical, ...card.borderline]) shown.add(row);
    for (const { cluster: b } of card.neighbours.slice(0, mostWays)) {
      // Where the decoder was left behind, nothing is between.
      await ask("between", {}, { a: cluster, b, steps: waySteps }).catch(() => {});
    }
  }
  if (source.isThere) for (const row of shown) await ask("explanation", { row });
  const { cells, fileNumbers } = await cellsOf(
    opened,
    columns.map(({ form }) => form),
  );
  const pixels = source.arePictures && source.isThere ? await pixelsOf(opened, source) : undefined;
  const written: WrittenRun = { run, answers, numbers, cells, fileNumbers, ...(pixels !== undefined && { pixels }) };
  return { written, explained: source.isThere ? shown.size : 0 };
}

/** As many as the page asks for. */
const waySteps = 21;

function isBinary(reply: unknown): reply is Binary {
  return typeof reply === "object" && reply !== null && "numbers" in reply;
}

async function cellsOf(opened: OpenedRun, forms: readonly string[]) {
  const table = await opened.table();
  const cells: Cell[][] = forms.map(() => []);
  const fileNumbers: number[] = [];
  for (let offset = 0; offset < table.rows; offset += rowsAtOnce) {
    const { rows } = await table.page({ offset, limit: rowsAtOnce });
    for (const { number, cells: row } of rows) {
      fileNumbers.push(number);
      for (const [at, cell] of row.entries()) cells[at]!.push(forms[at] === "date" ? daysOf(cell) : cell);
    }
  }
  return { cells, fileNumbers };
}

/** A zone is behind a time, as `+00` or `+05:30`: a day ends in a dash and digits as well. */
const zoned = /(:\d\d(?:\.\d+)?[+-]\d\d)(:\d\d)?$/;

/** Days since 1970, in universal time unless the text says otherwise. */
function daysOf(cell: Cell): number | null {
  const text = `${cell}`.replace(" ", "T");
  const moment = zoned.test(text) ? text.replace(zoned, (_, hours, minutes = ":00") => hours + minutes) : `${text}Z`;
  const days = Date.parse(moment) / 86_400_000;
  return cell === null || Number.isNaN(days) ? null : days;
}

/** Every row in bytes, where they are not too many. */
async function pixelsOf(
  opened: OpenedRun,
  { rows, row, range }: RunDescription["source"],
): Promise<string | undefined> {
  const size = row.reduce((product, length) => product * length, 1);
  if (rows * size > mostPixels) return undefined;
  const scale = 255 / (range[1] - range[0] || 1);
  const all = new Uint8ClampedArray(rows * size);
  for (let place = 0; place < rows; place++) {
    all.set(
      (await opened.values(place)).map((value) => Math.round((value - range[0]) * scale)),
      place * size,
    );
  }
  return Buffer.from(all.buffer).toString("base64");
}

/** Not even by mistake does it load anything, or run a script but this one. */
async function page(name: string, written: WrittenRun): Promise<string> {
  const folder = (await Promise.all(places.map((place) => isThere(`${place}page.js`)))).findIndex(Boolean);
  if (folder < 0) throw new RangeError("view: the page is not built; run npm run build");
  const [script, style] = await Promise.all(
    ["page.js", "page.css"].map((file) => readFile(`${places[folder]}${file}`, "utf8")),
  );
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(script!)}; style-src ${hash(style!)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const data = gzipSync(JSON.stringify(written), { level: 9 }).toString("base64");
  const head = `<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<style>${style}</style>`;
  const body = `<div id="page"></div>
<noscript>This page needs JavaScript. The report of a run does not.</noscript>
<script type="text/plain" id="run">${data}</script>
<script type="module">${script}</script>`;
  return htmlDocument({ title: name, policy, version, head, body });
}
