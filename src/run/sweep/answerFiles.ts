/**
 * The answer of a sweep in its folder: sweep.json, which lists the other two by their hashes and has a seal,
 * report.html and consensus.csv. What lies there under one of these names, and is not as a sweep wrote it, stays.
 */

import { basename } from "node:path";
import { isThere } from "../../disk/isThere.ts";
import { type ClaimOptions, OutputFile } from "../../disk/outputFile.ts";
import { readRegular } from "../../disk/regularFile.ts";
import { sha256, sha256OfFile } from "../../disk/sha256.ts";
import { type Output, type OutputColumn, openOutput } from "../../files/output/openOutput.ts";
import { type SweepAnswer, sweepPage } from "../../report/sweepPage.ts";
import { jsonText } from "../../text/jsonText.ts";
import { sealedIn, sealedText } from "../folder/sealed.ts";
import { placesIn } from "./sweepJob.ts";

const longestAnswer = 2 ** 28;

export class AnswerFiles {
  readonly #out: string;
  /** The hashes of what is there, by its names. */
  readonly #old: Readonly<Record<string, readonly string[]>>;

  private constructor(out: string, old: Readonly<Record<string, readonly string[]>>) {
    this.#out = out;
    this.#old = old;
  }

  /** Refused where somebody's own is in the way. */
  static async open(out: string): Promise<AnswerFiles> {
    const { answer, report, consensus } = placesIn(out);
    const refuse = (place: string): never => {
      throw new RangeError(
        `${place}: is not as telltale sweep wrote it, and would be lost; move what is yours, or remove it`,
      );
    };
    const bytes = (await isThere(answer)) ? await readRegular(answer, longestAnswer) : undefined;
    const sealed = bytes && sealedIn(new TextDecoder().decode(bytes));
    if (bytes && !sealed) refuse(answer);
    const old: Record<string, readonly string[]> = {};
    for (const place of [report, consensus]) {
      if (!(await isThere(place))) continue;
      const hash = await sha256OfFile(place);
      if (!sealed?.files[basename(place)]?.includes(hash)) refuse(place);
      old[basename(place)] = [hash];
    }
    return new AnswerFiles(out, old);
  }

  /** Writes the answer, and each row of the consensus; `read` is never replaced. */
  async write(
    answer: SweepAnswer,
    columns: readonly OutputColumn[],
    fill: (output: Output) => Promise<void>,
    read: ClaimOptions,
  ): Promise<void> {
    const places = placesIn(this.#out);
    const options = { ...read, force: true };
    const report = new TextEncoder().encode(sweepPage(answer));
    // It knows old and new before either is in its place: should this process end, the next one knows whose they are.
    const list = async (part: string): Promise<void> => {
      const now = { [basename(places.report)]: sha256(report), [basename(places.consensus)]: await sha256OfFile(part) };
      const hashes = Object.entries(now).map(([name, hash]) => [
        name,
        [...new Set([...(this.#old[name] ?? []), hash])],
      ]);
      const text = sealedText(answer, Object.fromEntries(hashes), jsonText);
      await replace(places.answer, new TextEncoder().encode(text), options);
    };
    const output = await openOutput("csv", columns, {
      out: await OutputFile.claim(places.consensus, { ...options, whole: list }),
      guardFormulas: true,
    });
    try {
      await fill(output);
      await output.end();
    } catch (error) {
      await output.abandon();
      throw error;
    }
    await replace(places.report, report, options);
  }
}

async function replace(place: string, bytes: Uint8Array, options: ClaimOptions): Promise<void> {
  const file = await OutputFile.claim(place, options);
  try {
    await file.write(bytes);
    await file.put();
  } finally {
    await file.release();
  }
}
