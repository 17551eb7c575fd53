/** What is answered about runs and their clusters. */

import type { SomeHandlers } from "../../api/handlers.ts";
import type { ClusterCard, Column } from "../../api/runs.ts";
import {
  aboutMethod,
  arePictures,
  type ClusterSummary,
  countingEdits,
  encodePng,
  featureNames,
  framesIn,
  between as lineBetween,
  pixelsOf,
  type RowTable,
  type Run,
  saidAlong,
  saidOfRow,
} from "../../doors/inside.ts";
import type { OpenedRun } from "../openedRun.ts";
import { notFound, Refused } from "../refused.ts";
import type { RunShelf } from "../runShelf.ts";

/** Columns that are listed between two clusters: those that change most. */
const mostChanged = 6;

/** The longer side of a picture, in pixels. */
const largestPicture = 512;

export function runAnswers(
  shelf: RunShelf,
  isAtWork: (path: string) => boolean,
): SomeHandlers<"runs" | "run" | "map" | "placement" | "cluster" | "exemplar" | "between" | "model"> {
  return {
    runs: () => shelf.list(isAtWork),

    async run({ in: { run: id } }) {
      const opened = await shelf.getNow(id);
      const { run } = opened;
      const { description } = run;
      const { source, result, settings } = description;
      const table = await opened.table();
      const reason = await table.reason();
      const [clusters, map] = [await opened.clusters(), await opened.map()];
      return {
        id,
        name: run.name,
        created: description.created,
        version: description.telltale,
        source: {
          name: source.name.replace(/^.*[/\\]/, ""),
          description: source.description,
          rows: source.rows,
          row: [...source.row],
          range: [...source.range] as [number, number],
          arePictures: arePictures(source.row),
          ...(reason === undefined ? { isThere: true } : { isThere: false, reason }),
          ids: [...source.ids],
          features: featureNames(source.features),
        },
        method: {
          ...methodOf(run),
          profile: result.plan.profile,
          seed: settings.seed,
          device: result.device,
          options: result.plan.options,
        },
        columns: table.columns.map(columnOf),
        clusters: clusters.map(({ cluster, name, size, share, exemplarFrom, confidence }) => {
          const center = result.map?.centers[cluster];
          return {
            cluster,
            name,
            size,
            share,
            exemplarFrom,
            confidence: confidence.mean,
            ...(center && { center: [...center] as [number, number] }),
          };
        }),
        ...(map && { map: { bounds: [...map.bounds] as [number, number, number, number], shown: map.shown } }),
        measures: result.measures,
        ...(result.scores && { scores: result.scores }),
        notices: [...result.notices],
        seconds: result.seconds,
        frames: (await framesIn(run.folder)).length,
        edits: run.curated ? countingEdits(run.curated.log).edits.length : 0,
      };
    },

    async map({ in: { run } }) {
      const map = await (await shelf.get(run)).map();
      if (!map) throw notFound("map of this run");
      return { numbers: map.places };
    },

    async placement({ in: { run, what } }) {
      const values = await (await shelf.get(run)).placement(what);
      return { numbers: what === "cluster" || what === "second" ? Uint32Array.from(values) : values };
    },

    async cluster({ in: { run, cluster } }) {
      const opened = await shelf.get(run);
      const { reach: _, far: __, ...card } = await summaryOf(opened, cluster);
      const placeOf = await opened.placeOf();
      const { features } = opened.run.description.source;
      const says = (row: ClusterSummary["typical"][number]) =>
        features.length > 0 && { says: saidOfRow(row, card.distinguishing, features) };
      const placed = (rows: ClusterSummary["typical"]) =>
        rows.map((row) => ({ ...row, row: placeOf(row.row), ...says(row) }));
      return { ...card, typical: placed(card.typical), borderline: placed(card.borderline) } as ClusterCard;
    },

    async exemplar({ in: { run, cluster } }) {
      const opened = await shelf.get(run);
      const { exemplar } = await summaryOf(opened, cluster);
      return pictureOf(opened.run, exemplar);
    },

    async model({ in: { run } }) {
      const opened = await shelf.get(run);
      const bytes = await opened.run.folder.bytes(opened.run.place("model.onnx"));
      return { bytes, type: "application/octet-stream", name: `${opened.run.name}.onnx` };
    },

    async between({ in: { run }, query: { a, b, steps = 11 } }) {
      const opened = await shelf.get(run);
      await summaryOf(opened, a);
      await summaryOf(opened, b);
      const { at, rows, clusters } = await lineBetween(await opened.model(), a, b, steps);
      const line = { a, b, at: [...at], rows: rows.map((row) => [...row]), clusters: [...clusters] };
      const { features } = opened.run.description.source;
      return { ...line, ...(features.length > 0 && { columns: saidAlong(line.rows, features, mostChanged) }) };
    },
  };
}

function methodOf({ description }: Run) {
  const { name, about, paper } = aboutMethod(description);
  return { name, about, paper };
}

/** A row's numbers as a PNG. */
export function pictureOf({ description: { source } }: Run, values: readonly number[]): Uint8Array {
  if (!arePictures(source.row) || values.length === 0) throw notFound("picture: the rows are no pictures");
  const { pixels, width, height, channels } = pixelsOf(values, source, largestPicture);
  return encodePng(pixels, width, height, channels);
}

async function summaryOf(opened: OpenedRun, cluster: number) {
  const found = (await opened.clusters())[cluster];
  if (!found) throw new Refused(404, `there is no cluster ${cluster}`);
  return found;
}

function columnOf({ name, form, report }: RowTable["columns"][number]): Column {
  const { role, isUsed, type, reason, missing, distinct } = report;
  return { name, role, isUsed, type, form, reason, missing, ...(distinct !== undefined && { distinct }) };
}
