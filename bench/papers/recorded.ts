/** What there is on disk: records of cells, of `bench online`, and what was measured for figures. */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lambdasFile } from "../lambdas.ts";
import { bySeeds, type Line, linesIn, linesOf } from "../records.ts";
import type { Recorded } from "./paper.ts";

export const measuredFolder = "bench/results/papers";

export async function readRecorded(folder?: string, of = measuredFolder): Promise<Recorded> {
  const groups = bySeeds(await withOthers(await linesOf(folder)));
  const files = (await readdir(of).catch(() => [])).filter((name) => name.endsWith(".json"));
  const measured = new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, unknown]> => {
        return [file.slice(0, -".json".length), JSON.parse(await readFile(join(of, file), "utf8"))];
      }),
    ),
  );
  measured.set("lambdas", await linesIn(lambdasFile));
  return {
    lines: (group) => groups.get(group) ?? [],
    measured: <T>(name: string) => measured.get(name) as T | undefined,
  };
}

export async function keepMeasured(folder: string, name: string, value: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(value)}\n`);
}

/** What other benchmarks have recorded of the same cells counts too, where there is no line of our own. */
async function withOthers(lines: readonly Line[]): Promise<Line[]> {
  const own = new Set(lines.map(({ cell }) => cell));
  const others = [...(await onlineLines()), ...(await comparatorLines())];
  return [...lines, ...others.filter(({ cell }) => !own.has(cell))];
}

/** `bench comparators`: teachers on raw rows, with nothing said about their options. */
async function comparatorLines(): Promise<Line[]> {
  type Compared = Record<"accuracy" | "nmi" | "ari" | "seconds" | "seed", number> & {
    readonly cell: string;
    readonly pairPrecision?: number;
    readonly teacher?: string;
    readonly commit: string;
    readonly notes?: readonly string[];
    readonly options?: object;
  };
  const all = await linesIn<Compared>("bench/results/comparators.jsonl");
  return all
    .filter(({ teacher, options = {} }) => teacher !== undefined && Object.keys(options).length === 0)
    .map(({ cell, teacher, seed, accuracy, nmi, ari, pairPrecision, seconds, commit, notes = [] }) => {
      const data = cell.slice(0, cell.indexOf("/"));
      const sample = sampleIn(notes);
      return {
        cell: `${data}/${teacher}/teacher/${seed}`,
        data,
        seed,
        scores: { accuracy, nmi, ari, ...(pairPrecision !== undefined && { pairPrecision }) },
        ...(sample !== undefined && { sample }),
        ...(notes.length > 0 && { notices: notes }),
        seconds,
        commit,
      };
    });
}

/** How many rows a teacher says that it saw, where these were not all. */
export function sampleIn(notes: readonly string[]): number | undefined {
  const [, saw] = / saw ([\d,]+) of [\d,]+ rows/.exec(notes.join("; ")) ?? [];
  return saw === undefined ? undefined : Number(saw.replaceAll(",", ""));
}

/** TELL's Table 5 †: the streams that do not drift, as lines of cells. */
async function onlineLines(): Promise<Line[]> {
  type Online = Record<string, number> & { stream: string; commit: string };
  const all = await linesIn<Online>("bench/results/online.jsonl");
  return all
    .filter(({ stream }) => stream === "steady")
    .flatMap((line) =>
      (["kmeans", "tell"] as const).map((method) => ({
        cell: `mnist/${method}/online/${line.seed}`,
        data: "mnist",
        seed: line.seed!,
        scores: Object.fromEntries(
          [
            ["accuracy", line[method]],
            ["nmi", line[`${method} nmi`]],
            ["ari", line[`${method} ari`]],
          ].filter(([, value]) => value !== undefined),
        ),
        seconds: 0,
        commit: line.commit,
      })),
    );
}
