/** Who teaches, as a person says it: one of our teachers, a file of labels, or a column of the rows. */

import { realpath, stat } from "node:fs/promises";
import type { LabelOptions } from "../../files/labelList.ts";
import { checkOnePerRow, findLabels, type LabelFile } from "../../files/openLabels.ts";
import type { OpenedRows } from "../../files/openRows.ts";
import { decodeNpy, encodeNpy } from "../../formats/npy.ts";
import type { MethodName } from "../../methods/index.ts";
import { listedName, type TeacherName } from "../../teachers/names.ts";
import { tensor } from "../../tensor/tensor.ts";
import { checkTaught, numberedLabels, type OwnLabels } from "../../training/lesson.ts";
import type { Method } from "../../training/method.ts";
import { damaged, type RunFolder } from "../folder/runFolder.ts";
import type { RunDescription } from "../folder/schemas/runDescription.ts";

/** What is meant where somebody speaks of a lesson, and of no method. */
export const taughtMethod = "telltale" satisfies MethodName;

/** What a person says about the lesson. */
export interface Lessons {
  /**
   * Who teaches: a teacher by name (docs/teachers.md), a file with a label for each row (FILE, or FILE:COLUMN), or a
   * column of the rows (NAME, or column:NAME where that is also a file or a teacher).
   */
  readonly teacher?: string;
  /** How long it may take. */
  readonly effort?: "quick" | "normal" | "thorough";
}

/** Labels of a person's own, where they are. */
export type OwnTeacher =
  | { readonly kind: "file"; readonly file: string; readonly column?: string }
  | { readonly kind: "column"; readonly column: string };

/** Whether a method can be taught so, said before anything is opened. */
export function checkLessons(
  method: Method,
  { teacher, effort, clusters }: Lessons & { readonly clusters?: unknown },
): void {
  const { name: where, options } = method;
  if (teacher !== undefined) checkTaught(method);
  if (effort !== undefined && !Object.hasOwn(options, "effort")) {
    throw new RangeError(`${where}: takes no effort; the method that has one is telltale`);
  }
  if (teacher !== undefined && listedName(teacher) === ("density" satisfies TeacherName)) {
    throw new RangeError(
      `${where}: density finds out by itself how many clusters there are, and which rows belong to none, so that it teaches by its labels: write what partition(rows, { teacher: "density" }) of telltale/teachers says into a file and give that as teacher (a file or a column of this name is ./density or column:density)`,
    );
  }
  if (teacher === undefined || isTeacherName(options, teacher) || clusters === undefined) return;
  throw new RangeError(`${where}: a clustering of your own says how many clusters there are; leave out --clusters`);
}

/** What is said about the lesson as options of the method; labels of one's own are none. */
export function lessonOptions({ options }: Method, { teacher, effort }: Lessons): Record<string, unknown> {
  return {
    ...(effort !== undefined && { effort }),
    ...(teacher !== undefined && isTeacherName(options, teacher) && { taughtBy: listedName(teacher) }),
  };
}

function isTeacherName(options: Method["options"], name: string): boolean {
  const { taughtBy } = options;
  return taughtBy?.kind === "choice" && taughtBy.choices.includes(listedName(name));
}

/** Where a person's own labels are; nothing where none of them were meant. */
export async function ownTeacher(
  source: string,
  { options }: Method,
  teacher: string | undefined,
): Promise<OwnTeacher | undefined> {
  if (teacher === undefined || isTeacherName(options, teacher)) return undefined;
  const [, column] = /^column:(.+)$/s.exec(teacher) ?? [];
  if (column !== undefined) return { kind: "column", column };
  const [, before = "", after] = /^(.+):([^:]+)$/s.exec(teacher) ?? [];
  const [file, of] = (await isFile(teacher)) ? [teacher, undefined] : [before, after];
  if (!(await isFile(file))) return { kind: "column", column: teacher };
  if (!(await isSame(source, file))) return { kind: "file", file, ...(of !== undefined && { column: of }) };
  if (of !== undefined) return { kind: "column", column: of };
  throw new RangeError(`${file}: holds the rows themselves; say which of its columns teaches: column:NAME`);
}

async function isFile(path: string): Promise<boolean> {
  const found = path === "" ? undefined : await stat(path).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)));
  return a !== undefined && a === b;
}

/** Labels that are found, before the rows are: a column of theirs is then no feature. */
export async function foundTeacher(own: OwnTeacher, options: LabelOptions): Promise<LabelFile | undefined> {
  return own.kind === "file" ? findLabels(own.file, own.column, options) : undefined;
}

/** The labels of open rows, and in words where they are from. */
export async function taughtLabels(
  source: string,
  {
    opened,
    own,
    file,
    isDropped,
  }: {
    readonly opened: OpenedRows;
    readonly own: OwnTeacher;
    readonly file: LabelFile | undefined;
    readonly isDropped: boolean;
  },
): Promise<OwnLabels & { readonly from: string }> {
  if (!file) {
    const column = own.column!;
    if (!opened.teacher) {
      throw new RangeError(
        `${source}: has no column "${column}" that could teach, and there is no such file; a teacher is one of docs/teachers.md, a file of labels, or a column of the rows`,
      );
    }
    const { classes, names } = opened.teacher;
    return { ...numberedLabels(`${source}: column ${column}`, classes, names), from: `column ${column}` };
  }
  const where = file.column === undefined ? file.file : `${file.file}: column ${file.column}`;
  const byId = opened.ids && (await file.readById(opened.ids));
  const { classes, names } = byId ?? (await file.read());
  if (!byId) checkOnePerRow(file.file, classes.length, { rows: opened.data.count, of: source, isDropped });
  return { ...numberedLabels(where, classes, names), from: `${file.file}, matched by ${byId ? "id" : "order"}` };
}

/** Taught by labels.csv, matched by id: 7 clusters in 1,480 rows, none in 20. */
export function lessonWords({ labels, names, from }: OwnLabels & { readonly from: string }): string {
  const none = labels.reduce((sum, label) => sum + (label < 0 ? 1 : 0), 0);
  const clusters = `${names.length} ${names.length === 1 ? "cluster" : "clusters"}`;
  return `taught by ${from}: ${clusters} in ${labels.length - none} rows${none > 0 ? `, none in ${none}` : ""}`;
}

/** teacher.npy: the cluster of each row, −1 for none. */
export function teacherFile({ labels }: OwnLabels): Uint8Array {
  return encodeNpy(tensor("int32", [labels.length], labels));
}

/** What a run folder says was taught; it may come from anybody. */
export async function storedTeacher(
  folder: RunFolder,
  { settings: { teacher }, source: { rows } }: RunDescription,
): Promise<OwnLabels | undefined> {
  if (!teacher) return undefined;
  const { names } = teacher;
  const name = "teacher.npy";
  try {
    const { dtype, data, shape } = await decodeNpy(await folder.bytes(name));
    const isWhole = dtype === "int32" && shape.length === 1 && data.length === rows;
    if (isWhole && (data as Int32Array).every((label) => label >= -1 && label < names.length)) {
      return { labels: data as Int32Array, names };
    }
    throw new TypeError(`it must have the clusters of ${rows} rows, from -1 to ${names.length - 1}`);
  } catch (error) {
    throw damaged(folder.path, name, error);
  }
}
