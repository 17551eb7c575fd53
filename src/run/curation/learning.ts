/** What an edit learns from rows: the weights that change, kept in curation/NUMBER.safetensors. */

import { type Data, rowsAtOnce } from "../../data/data.ts";
import { sha256 } from "../../disk/sha256.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../../formats/tensorGroups.ts";
import type { Model } from "../../model/model.ts";
import { paceOf } from "../../numerics/pace.ts";
import { isTeacherName, teacherOf, teachers } from "../../teachers/index.ts";
import { Random } from "../../tensor/random.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { Counting } from "../folder/curationLog.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { damaged } from "../folder/runFolder.ts";
import type { Edit, EditOf } from "../folder/schemas/curation.ts";
import { meansOf, withCenters } from "./centers.ts";
import type { RowsAtHand } from "./rowsAtHand.ts";
import { type CuratedState, keptCenters, type Moving } from "./state.ts";
import { taught } from "./teach.ts";

/** A model before an edit. */
export interface Before {
  readonly state: CuratedState;
  /** As the clusters are, and with each center as a cluster of its own. */
  readonly model: Model;
  readonly byCenter: Model;
  /** The same model with other weights and centers, each a cluster of its own. */
  readonly with: (changed: ReadonlyMap<string, Tensor>, centers: number) => Model;
  /** The cluster of each row. */
  readonly labels: Int32Array;
  readonly moving: Moving;
  readonly signal?: AbortSignal;
}

/** The weights that an edit changes. */
export async function learned(before: Before, edit: Edit, rows: RowsAtHand): Promise<Map<string, Tensor>> {
  if (edit.kind === "split") return splitCenters(before, edit, rows);
  if (edit.kind !== "move" && edit.kind !== "gather") return new Map();
  const asked = edit.rows.map((row) => rows.placeOf(row));
  return before.moving === "by learning" ? taughtWeights(before, edit, rows, asked) : ownCenter(before, rows, asked);
}

/** The centers of a cluster give way to those of its parts: the means of the codes that a teacher puts together. */
async function splitCenters(before: Before, edit: EditOf<"split">, { data }: RowsAtHand) {
  const { state, model, labels, signal } = before;
  checkTeacher(edit.teacher);
  const rows = [...labels.keys()].filter((row) => labels[row] === edit.cluster);
  if (rows.length < edit.into) {
    throw new RangeError(
      `curate: a cluster of ${rows.length} rows cannot be split into ${edit.into}; choose fewer parts, or another cluster`,
    );
  }
  const codes = await codesOf(model, data, rows);
  const random = Random.seeded(model.plan.seed).fork(`split ${edit.cluster}`);
  const asked = { clusters: edit.into, random, pace: paceOf(signal) };
  const partition = await teacherOf(edit.teacher).teach(codes, asked);
  if (partition.clusters !== edit.into) {
    throw new RangeError(
      `curate: ${edit.teacher} finds ${partition.clusters} parts in cluster ${edit.cluster}, not ${edit.into}: too few of its rows differ; choose fewer parts`,
    );
  }
  return withCenters(model, keptCenters(state, edit.cluster), meansOf(codes, partition.labels, edit.into));
}

export function checkTeacher(name: string): void {
  const told = Object.values(teachers).filter(({ clusters }) => clusters === "told");
  if (isTeacherName(name) && told.some((teacher) => teacher.name === name)) return;
  throw new RangeError(
    `curate: the teacher of a split must be one of ${told.map((teacher) => teacher.name).join(", ")}, got ${JSON.stringify(name)}`,
  );
}

/** A center more, in the middle of the rows that are asked for. */
async function ownCenter({ state, model }: Before, { data }: RowsAtHand, asked: readonly number[]) {
  const codes = await codesOf(model, data, asked);
  return withCenters(model, [...state.origins.keys()], meansOf(codes, new Int32Array(asked.length), 1));
}

/** The network learns to place the rows that are asked for, from where it is; all others keep their centers. */
async function taughtWeights(
  before: Before,
  edit: EditOf<"move"> | EditOf<"gather">,
  rows: RowsAtHand,
  asked: readonly number[],
): Promise<Map<string, Tensor>> {
  const { state, byCenter, signal } = before;
  const centers = state.origins.length;
  const labels = await byCenter.predict(rows.data);
  if (edit.kind === "move") {
    const { distances } = await byCenter.assign(await rowsOf(rows.data, asked));
    asked.forEach((row, i) => {
      const own = distances.data.subarray(i * centers, (i + 1) * centers);
      labels[row] = state.members[edit.to]!.reduce((best, center) => (own[center]! < own[best]! ? center : best));
    });
    return taught(byCenter, rows.data, labels, asked, signal);
  }
  for (const row of asked) labels[row] = centers;
  const changed = await ownCenter(before, rows, asked);
  const grown = before.with(changed, centers + 1);
  try {
    return new Map([...changed, ...(await taught(grown, rows.data, labels, asked, signal))]);
  } finally {
    await grown.close();
  }
}

/** Some rows, in this order. */
async function rowsOf(data: Data, rows: readonly number[]): Promise<Tensor<"float32">> {
  const width = data.row.reduce((product, size) => product * size, 1);
  const places = new Map(rows.map((row, i) => [row, i]));
  const x = new Float32Array(rows.length * width);
  for await (const batch of data.inOrder(rowsAtOnce(data.row))) {
    batch.rows.forEach((row, i) => {
      const at = places.get(row);
      if (at !== undefined) x.set(batch.x.data.subarray(i * width, (i + 1) * width), at * width);
    });
  }
  return tensor("float32", [rows.length, ...data.row], x);
}

/** The codes of some rows, in this order, as they lie beside the centers. */
async function codesOf(model: Model, data: Data, rows: readonly number[]): Promise<Tensor<"float32">> {
  const width = model.formulas.network.latent;
  const places = new Map(rows.map((row, i) => [row, i]));
  const codes = new Float32Array(rows.length * width);
  for await (const batch of data.inOrder(rowsAtOnce(data.row))) {
    if (!batch.rows.some((row) => places.has(row))) continue;
    const z = (await model.run(batch.x)).z!.data as Float32Array;
    batch.rows.forEach((row, i) => {
      const at = places.get(row);
      if (at !== undefined) codes.set(z.subarray(i * width, (i + 1) * width), at * width);
    });
  }
  return tensor("float32", [rows.length, width], codes);
}

const kind: FileKind = { format: "telltale edit", value: "edit" };

export function learnedFile(number: number): string {
  return `curation/${number}.safetensors`;
}

/** The file of what an edit has learned. */
export function encodeLearned(edit: Edit, changed: ReadonlyMap<string, Tensor>): Uint8Array {
  return encodeTensorGroups(kind, edit.kind, { changed });
}

/** What an edit has learned, as it was kept; nothing where the file is not there, or is another. */
export async function keptLearned(
  folder: RunFolder,
  { number, made }: Counting,
): Promise<ReadonlyMap<string, Tensor> | undefined> {
  const name = learnedFile(number);
  const bytes = await folder.bytes(name).catch(() => undefined);
  if (!bytes || (made !== undefined && sha256(bytes) !== made)) return undefined;
  try {
    return decodeTensorGroups(kind, bytes).group("changed");
  } catch (error) {
    throw damaged(folder.path, name, error);
  }
}
