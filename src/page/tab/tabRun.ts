/** A run that was trained in the tab: what the server answers about a folder, out of memory. */

import type { ClusterCard, Explanation, RunBrief, RunDescription } from "../../api/runs.ts";
import {
  AskedModel,
  arePictures,
  devices,
  encodePng,
  featureNames,
  findDevice,
  type Model,
  type MovingFrame,
  methodOf,
  modelFrom,
  modelOnnx,
  pixelsOf,
  planOf,
  quantized,
  saidAlong,
  saidOfRow,
} from "../../doors/tab.ts";
import { CellTable } from "../here/cellTable.ts";
import { Refusal } from "../source/source.ts";
import type { TabRows } from "./tabRows.ts";
import type { Made } from "./trainingMessages.ts";

/** Columns that are listed between two clusters: those that change most. */
const mostChanged = 6;

/** The longer side of a picture, in pixels. */
const largestPicture = 512;

export class TabRun {
  readonly id: string;
  readonly name: string;
  readonly table: CellTable;
  readonly frames: readonly MovingFrame[];
  readonly #made: Made;
  readonly #rows: TabRows;
  readonly #source: string;
  readonly #created = new Date().toISOString();
  readonly #map: ReturnType<typeof quantized>;
  #model: Promise<Model> | undefined;
  #asked: Promise<AskedModel> | undefined;

  constructor(
    { id, name, source }: { readonly id: string; readonly name: string; readonly source: string },
    made: Made,
    rows: TabRows,
    frames: readonly MovingFrame[],
  ) {
    this.id = id;
    this.name = name;
    this.#source = source;
    this.#made = made;
    this.#rows = rows;
    this.frames = frames;
    this.table = new CellTable(rows.columns, made.placements, rows.numbers);
    this.#map = quantized(made.map.places);
  }

  brief(): RunBrief {
    const { plan } = this.#made.model;
    const { id, name } = this;
    return {
      ...{ id, name, state: "done", method: plan.method, rows: this.table.rows },
      ...{ clusters: this.#made.summaries.length, created: this.#created },
    };
  }

  describe(version: string): RunDescription {
    const { model, summaries, device, notices, seconds, map } = this.#made;
    const { data, columns, features, idNames, description } = this.#rows;
    const { about, paper } = methodOf(model.plan.method);
    return {
      ...{ id: this.id, name: this.name, created: this.#created, version, notices: [...notices], seconds },
      source: {
        ...{ name: this.#source, description, rows: data.count, row: [...data.row], range: [...data.range] },
        ...{ arePictures: arePictures(data.row), isThere: true, ids: [...idNames] },
        features: featureNames(features ?? []),
      },
      method: {
        ...{ name: model.plan.method, about, paper, profile: model.plan.profile, seed: model.plan.seed, device },
        options: { ...model.plan.options },
      },
      columns: columns.map(({ form, report: { name, role, isUsed, type, reason, missing, distinct } }) => ({
        ...{ name, role, isUsed, type, form, reason, missing },
        ...(distinct !== undefined && { distinct }),
      })),
      clusters: summaries.map(({ cluster, name, size, share, exemplarFrom, confidence }) => ({
        ...{ cluster, name, size, share, exemplarFrom, confidence: confidence.mean },
        center: [...map.centers[cluster]!],
      })),
      map: { bounds: [...this.#map.bounds], shown: this.#map.shown },
      measures: { ...model.measures },
      ...{ frames: this.frames.length, edits: 0 },
    };
  }

  get places(): Uint16Array {
    return this.#map.places;
  }

  cluster(cluster: number): ClusterCard {
    const { reach: _, far: __, ...card } = this.#summary(cluster);
    const { features = [] } = this.#rows;
    const said = (rows: typeof card.typical) =>
      features.length === 0
        ? rows
        : rows.map((row) => ({ ...row, says: saidOfRow(row, card.distinguishing, features) }));
    return { ...card, typical: said(card.typical), borderline: said(card.borderline) } as unknown as ClusterCard;
  }

  /** The exemplar of a cluster, or a row, as a PNG. */
  exemplar(cluster: number): Uint8Array {
    return this.#picture(this.#summary(cluster).exemplar);
  }

  picture(row: number): Uint8Array {
    const { tensor } = this.#rows.data;
    const width = tensor!.data.length / this.table.rows;
    return this.#picture([...tensor!.data.subarray(row * width, (row + 1) * width)]);
  }

  async between(a: number, b: number, steps: number) {
    const { at, rows, clusters } = await (await this.#questions()).between(a, b, steps);
    const line = { a, b, at: [...at], rows: rows.map((row) => [...row]), clusters: [...clusters] };
    const { features = [] } = this.#rows;
    return { ...line, ...(features.length > 0 && { columns: saidAlong(line.rows, features, mostChanged) }) };
  }

  async explain(row: number, against?: number): Promise<Explanation> {
    const id = this.#rows.ids?.[row]?.join(", ");
    const explanation = await (await this.#questions()).explain(row, against);
    return { ...explanation, row, ...(id !== undefined && { id }) } as unknown as Explanation;
  }

  /** The model as a file that runs anywhere. */
  async onnx(): Promise<Uint8Array> {
    const { features } = this.#rows;
    const names = this.#made.summaries.map(({ name }) => name);
    return modelOnnx(await this.#opened(), { names, ...(features && { columns: featureNames(features) }) });
  }

  #summary(cluster: number) {
    const found = this.#made.summaries[cluster];
    if (!found) throw new Refusal(`there is no cluster ${cluster}`, 404);
    return found;
  }

  #picture(values: readonly number[]): Uint8Array {
    const { row, range } = this.#rows.data;
    if (!arePictures(row)) throw new Refusal("the rows are no pictures", 404);
    const { pixels, width, height, channels } = pixelsOf(values, { row, range }, largestPicture);
    return encodePng(pixels, width, height, channels);
  }

  #opened(): Promise<Model> {
    const { model, weights } = this.#made;
    this.#model ??= findDevice(devices).then((device) =>
      modelFrom(model, planOf(model.plan, { method: methodOf(model.plan.method) }), weights, { device }),
    );
    return this.#model;
  }

  #questions(): Promise<AskedModel> {
    const { data, features, missingOf } = this.#rows;
    const { summaries } = this.#made;
    this.#asked ??= this.#opened().then(
      (model) =>
        new AskedModel(model, {
          data,
          summaries,
          ...(features && { features }),
          filledOf: async (row) => missingOf(row),
        }),
    );
    return this.#asked;
  }
}
