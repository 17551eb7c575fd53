/** What there is on disk: records of cells, of `bench online`, and what was measured for figures. */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bySeeds, type Line, linesOf } from "../records.ts";
import type { Recorded } from "./paper.ts";

export const measuredFolder = "bench/results/papers";

export async function readRecorded(folder?: string, of = measuredFolder): Promise<Recorded> {
  const groups = bySeeds([...(await linesOf(folder)), ...(await onlineLines())]);
  const files = (await readdir(of).catch(() => [])).filter((name) => name.endsWith(".json"));
  const measured = new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, unknown]> => {
        return [file.slice(0, -".json".length), JSON.parse(await readFile(join(of, file), "utf8"))];
      }),
    ),
  );
  return {
    lines: (group) => groups.get(group) ?? [],
    measured: <T>(name: string) => measured.get(name) as T | undefined,
  };
}

export async function keepMeasured(folder: string, name: string, value: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(value)}\n`);
}

/** TELL's Table 5 †: the streams that do not drift, as lines of cells. */
async function onlineLines(): Promise<Line[]> {
  const text = await readFile("bench/results/online.jsonl", "utf8").catch(() => "");
  const all = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, number> & { stream: string; commit: string });
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
