/** From the run folders of a sweep to one answer: how many clusters, which fit, and what all have in common. */

import { basename, resolve } from "node:path";
import { scaledRows } from "../../data/scaling.ts";
import { filesRead } from "../../files/filesRead.ts";
import type { OpenedRows } from "../../files/openRows.ts";
import type { Output } from "../../files/output/openOutput.ts";
import { accuracy } from "../../metrics/accuracy.ts";
import { sampleRows } from "../../model/sampleRows.ts";
import { paceOf } from "../../numerics/pace.ts";
import type { SweepAnswer } from "../../report/sweepPage.ts";
import type { DeviceOffer } from "../../runtime/device.ts";
import { consensusOf } from "../../teachers/consensus.ts";
import { type Partition, partitionOf } from "../../teachers/partition.ts";
import { togethernessOf } from "../../teachers/togetherness.ts";
import { sizeOf, type Tensor, takeRows, tensor } from "../../tensor/tensor.ts";
import { chooseClusters, rowsToChooseBy } from "../../training/chooseClusters.ts";
import { version } from "../../version.ts";
import { openRunOn, type Run } from "../folder/openRun.ts";
import { idColumns } from "../use/assignFile.ts";
import { AnswerFiles } from "./answerFiles.ts";
import { chosenOf, graphOf, type Ranked, rankedSettings } from "./rankSweep.ts";
import { isDone } from "./runJob.ts";
import { checkAsksAs, placesIn, readJobs, type SweepJob } from "./sweepJob.ts";

export interface CollectOptions {
  /** Runs the query that the runs store, or asks the database that they name: the folder may come from anybody. */
  readonly runStoredSql?: boolean;
  readonly signal?: AbortSignal;
  readonly onTried?: (done: number, total: number) => void;
}

/** Neighbours are looked for among so many rows. */
const rowsToRankBy = 4000;

/** The seed of what is drawn to compare fits by: none of theirs. */
const seed = 1;

export function collectSweepOn(offers: readonly DeviceOffer[]) {
  /** Merges what is there of a sweep, and writes sweep.json, report.html and consensus.csv beside its runs. */
  return async function collectSweep(out: string, options: CollectOptions = {}): Promise<SweepAnswer> {
    const { signal, onTried, runStoredSql = false } = options;
    const places = placesIn(out);
    const files = await AnswerFiles.open(out);
    const jobs = await readJobs(places.jobs);
    const found: { job: SweepJob; run: Run }[] = [];
    const missing: string[] = [];
    for (const job of jobs) {
      if (!(await isDone(job, out))) missing.push(job.name);
      else {
        const run = await openRunOn(offers)(places.runOf(job), { original: true });
        checkAsksAs(job, run.path, run.description.source);
        found.push({ job, run });
      }
    }
    const first = found[0]?.run;
    if (!first) throw new RangeError(`${out}: none of its ${jobs.length} jobs has a run yet; telltale work runs them`);
    for (const { run } of found) checkSameRows(first, run);
    const pace = paceOf(signal);
    const opened = await first.rows(undefined, { runStoredSql, ...(signal && { signal }) });
    try {
      const sample = await sampleRows(opened.data, rowsToRankBy, seed);
      const rows = scaledRows(flat(sample.data.tensor!), first.description.result.plan.scaling);
      const numbers = [...new Set(found.map(({ job }) => job.clusters))].sort((a, b) => a - b);
      const graph = await graphOf(rows, numbers.at(-1)!, pace);
      const fits: Ranked[] = [];
      for (const { job, run } of found) {
        const labels = await run.labels();
        const { association } = togethernessOf(
          graph,
          sample.rows.map((row) => labels[row]!),
        );
        const { name, method, options: own, clusters, seed } = job;
        const { seconds } = run.description.result;
        fits.push({ name, method, options: own, clusters, seed, neighbours: association, seconds, labels });
      }
      const range = [numbers[0]!, numbers.at(-1)!] as const;
      const some = rows.shape[0]! > rowsToChooseBy ? everyOther(rows, rowsToChooseBy) : rows;
      const choice =
        numbers.length > 1
          ? chosenOf(
              await chooseClusters([some], range, seed, {
                ...(onTried && { onTried }),
                ...(signal && { signal }),
              }),
              numbers,
            )
          : undefined;
      const answer = answerOf({ out, fits, missing, first, ...(choice && { choice }) });
      // What is read is never replaced by what is made of it.
      const { path, options: asked } = first.description.source;
      const read = { read: [...(await filesRead(path, asked.sql)), places.jobs] };
      const { columns, fill } = consensusIn(opened, answer.partition);
      await files.write(answer.answer, columns, fill, read);
      return answer.answer;
    } finally {
      await opened.close();
    }
  };
}

function checkSameRows(one: Run, other: Run): void {
  const [a, b] = [one.description.source, other.description.source];
  if (a.rows === b.rows && a.fingerprint === b.fingerprint) return;
  throw new RangeError(`sweep: all runs must be of the same rows, and those of ${one.name} and ${other.name} differ`);
}

interface Collected {
  readonly out: string;
  readonly fits: readonly Ranked[];
  readonly missing: readonly string[];
  readonly first: Run;
  readonly choice?: SweepAnswer["choice"];
}

/** The best setting of the chosen number; of its seeds, the one that agrees most with what all fits of it say. */
function answerOf({ out, fits, missing, first, choice }: Collected): { answer: SweepAnswer; partition: Partition } {
  const clusters = choice?.chosen ?? fits[0]!.clusters;
  const own = fits.filter((fit) => fit.clusters === clusters);
  const partition = consensusOf(own.map(({ labels }) => partitionOf({ labels })));
  const agreement = new Map(own.map(({ name, labels }) => [name, accuracy(partition.labels, labels)]));
  const settings = rankedSettings(fits);
  const leading = settings.find((setting) => setting.clusters === clusters)!;
  const ofLeading = own.filter(
    ({ method, options }) => method === leading.method && JSON.stringify(options) === JSON.stringify(leading.options),
  );
  const best = ofLeading.reduce((a, b) => (agreement.get(b.name)! > agreement.get(a.name)! ? b : a));
  const { source } = first.description;
  const answer: SweepAnswer = {
    title: basename(resolve(out)),
    created: new Date().toISOString(),
    version,
    source: { name: basename(source.name), rows: source.rows },
    clusters,
    ...(choice && { choice }),
    best: best.name,
    settings,
    fits: fits.map(({ labels: _, ...fit }) => {
      const agreed = agreement.get(fit.name);
      return { ...fit, ...(agreed !== undefined && { agreement: agreed }) };
    }),
    consensus: { fits: own.length, share: meanShare(partition) },
    missing,
  };
  return { answer, partition };
}

/** The share of the fits that say what most say, of each row. */
function sharesOf({ labels, clusters, memberships }: Partition): Float32Array {
  return Float32Array.from(labels, (label, i) => (label < 0 ? 0 : memberships!.data[i * clusters + label]!));
}

function meanShare(partition: Partition): number {
  const shares = sharesOf(partition);
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

/** consensus.csv: each row with its ids, the cluster that most fits say, and how many of them do. */
function consensusIn({ ids, numbers }: OpenedRows, partition: Partition) {
  const ours = [
    { name: "row", type: "integer" },
    { name: "cluster", type: "integer" },
    { name: "share", type: "number" },
  ] as const;
  const shares = sharesOf(partition);
  return {
    columns: [ours[0], ...idColumns(ids?.names, ours), ours[1], ours[2]],
    fill: async (output: Output): Promise<void> => {
      const names: (readonly string[])[] = [];
      if (ids) for await (const batch of ids.inOrder(4096)) names.push(...batch);
      await output.write(
        Array.from(partition.labels, (label, i) => [numbers?.[i] ?? i, ...(names[i] ?? []), label, shares[i]!]),
      );
    },
  };
}

/** Rows of any shape as [n, d]. */
function flat({ data, shape: [n = 0, ...row] }: Tensor<"float32">): Tensor<"float32"> {
  return tensor("float32", [n, sizeOf(row)], data);
}

/** So many of the rows, evenly. */
function everyOther(rows: Tensor<"float32">, count: number): Tensor<"float32"> {
  const stretch = rows.shape[0]! / count;
  return takeRows(
    rows,
    Int32Array.from({ length: count }, (_, i) => Math.floor(i * stretch)),
  );
}
