/** What an agent may ask: nothing here changes anything. */

import * as v from "valibot";
import { inspectRequest } from "../api/fits.ts";
import { filter, tableRequest } from "../api/rows.ts";
import { count, few, flag, id, perhaps } from "../api/values.ts";
import { arePictures, assignBriefly, featureNames } from "../doors/inside.ts";
import { Refused } from "../server/refused.ts";
import { ask, type Tool, tool } from "./tool.ts";

/** Rows of an answer, rows that are sent to be assigned, and values of one of them. */
const most = { rows: 50, sent: 200, values: 4096 };

const [run, cluster, row] = [id, count, count];
const { mask: _, ...saidInWords } = filter.entries;
const value = v.nullable(
  v.union([v.pipe(v.string(), v.maxLength(10_000)), v.number(), flag, few(v.number(), most.values)]),
);

export const readingTools: Readonly<Record<string, Tool>> = {
  list_runs: tool({
    about: "Lists the runs (finished clusterings) and the data files that can be asked about, with the ids they go by.",
    input: v.strictObject({}),
    async answer(_, given) {
      return { data: { runs: await ask(given, "runs", {}), dataFiles: await ask(given, "sources", {}) } };
    },
  }),

  describe_run: tool({
    about: "Says how a run was made: its rows and their columns, its method, its clusters, its scores and notices.",
    input: v.strictObject({ run }),
    needsNoRows: true,
    async answer({ run }, given) {
      const { map: _, frames: __, ...described } = await ask(given, "run", { in: { run } });
      return { data: described };
    },
  }),

  list_clusters: tool({
    about: "Lists the clusters of a run: name, size, confidence, and what distinguishes each most from the rest.",
    input: v.strictObject({ run }),
    needsNoRows: true,
    async answer({ run }, given) {
      const clusters = await (await given.shelf.get(run)).clusters();
      const listed = clusters.map(({ cluster, name, size, share, confidence, distinguishing }) => ({
        ...{ cluster, name, size, share, confidence: confidence.mean },
        distinguishing: distinguishing.slice(0, 3),
      }));
      return { data: { clusters: listed } };
    },
  }),

  describe_cluster: tool({
    about:
      "Says what one cluster is: what distinguishes it (effects in standard deviations), its typical and borderline rows, which cluster it is confused with, and what columns say that were not used to cluster.",
    input: v.strictObject({ run, cluster }),
    needsNoRows: true,
    async answer({ run, cluster }, given) {
      const card = await ask(given, "cluster", { in: { run, cluster } });
      // Numbers without names tell nothing; get_exemplar has them with their names.
      const { exemplar: _, mean: __, deviation: ___, ...rest } = card;
      const named = (rows: typeof card.typical) => rows.map(({ values: _, filled: __, ...row }) => row);
      return { data: { ...rest, typical: named(card.typical), borderline: named(card.borderline) } };
    },
  }),

  get_exemplar: tool({
    about:
      "Shows the exemplar of a cluster, its center decoded into a row of the data: a picture where rows are pictures, else values by column.",
    input: v.strictObject({ run, cluster }),
    needsNoRows: true,
    async answer({ run, cluster }, given) {
      const { source } = (await given.shelf.get(run)).run.description;
      const { name, exemplar, exemplarFrom } = await ask(given, "cluster", { in: { run, cluster } });
      const picture = arePictures(source.row) ? await ask(given, "exemplar", { in: { run, cluster } }) : undefined;
      const names = featureNames(source.features);
      const values =
        names.length === exemplar.length ? exemplar.map((value, at) => ({ column: names[at], value })) : exemplar;
      return { data: { cluster, name, exemplarFrom, ...(!picture && { values }) }, ...(picture && { picture }) };
    },
  }),

  find_rows: tool({
    about:
      "Finds rows of a run by text, cluster, confidence, ranges or values of columns (columns go by their place in describe_run), sorted and page by page.",
    input: v.strictObject({
      run,
      ...tableRequest.entries,
      filter: perhaps(v.strictObject(saidInWords)),
      limit: perhaps(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most.rows))),
    }),
    async answer({ run, limit = 20, ...body }, given) {
      return { data: await ask(given, "table", { in: { run }, body: { ...body, limit } }) };
    },
  }),

  explain_row: tool({
    about:
      "Says why a row is in its cluster and not in another: parts per column that add up to the margin, the smallest change that would move it, and its nearest rows.",
    input: v.strictObject({ run, row, against: perhaps(cluster) }),
    async answer({ run, row, against }, given) {
      const { why, ...rest } = await ask(given, "explanation", {
        in: { run, row },
        query: against === undefined ? {} : { against },
      });
      if (!why) return { data: rest };
      const { parts: _, exemplar: __, ...input } = why.input;
      return { data: { ...rest, why: { ...why, input } } };
    },
  }),

  assign_rows: tool({
    about:
      "Says which clusters new rows belong to: rows by the names of their columns, or a data file by its id. Nothing is kept.",
    input: v.strictObject({
      run,
      rows: perhaps(v.pipe(few(v.record(v.pipe(v.string(), v.maxLength(1000)), value), most.sent), v.minLength(1))),
      dataFile: perhaps(id),
    }),
    needsNoRows: true,
    async answer({ run, rows, dataFile }, given, signal) {
      if ((rows === undefined) === (dataFile === undefined)) throw new Refused(400, "give either rows or a dataFile");
      const opened = await given.shelf.get(run);
      const from = rows ? { records: rows } : { source: given.sources.get(dataFile!).path };
      return { data: await assignBriefly(opened.run, from, { first: rows ? most.sent : most.rows, signal }) };
    },
  }),

  compare_runs: tool({
    about: "Says how two runs of the same rows agree: which clusters match, what share of rows, and which rows moved.",
    input: v.strictObject({ a: run, b: run }),
    async answer({ a, b }, given) {
      return { data: await ask(given, "compare", { query: { a, b } }) };
    },
  }),

  profile_data: tool({
    about: "Says what the columns of a data file are, what each would be used for and why, and shows the first rows.",
    input: v.strictObject({ dataFile: id, rows: inspectRequest.entries.rows }),
    async answer({ dataFile, rows }, given) {
      return { data: await ask(given, "inspect", { body: { source: dataFile, ...(rows && { rows }) } }) };
    },
  }),
};
