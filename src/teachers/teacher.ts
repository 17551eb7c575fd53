/** A teacher: what turns rows into a partition. It knows no network. */

import { distinctRows } from "../numerics/distinctRows.ts";
import { type Multiply, plainMultiply } from "../numerics/matrix.ts";
import type { Pace } from "../numerics/pace.ts";
import { type OptionTable, resolve, type ValuesOf } from "../options.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";
import { thousands } from "../text/thousands.ts";
import { carried } from "./carried.ts";
import { filledUp } from "./filledUp.ts";
import { type Division, type Partition, partitionOf } from "./partition.ts";

export interface Lesson {
  /** How many clusters are wanted; one that finds their number does not look at it. */
  readonly clusters?: number;
  /** The seed counts, and not how far it has been drawn from: each teacher draws from a fork of its own name. */
  readonly random: Random;
  /** Lets the event loop run and ends where its signal was aborted: `paceOf(signal)`. */
  readonly pace: Pace;
  /** Who makes large products of matrices; without it, they are made here, which is slow. */
  readonly multiply?: Multiply;
  /** What is said about the teacher's own options. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A lesson that says how many clusters are wanted. */
export type ToldLesson = Lesson & { readonly clusters: number };

/** What an algorithm is given: a lesson with nothing left open. */
export interface Work<T extends OptionTable = OptionTable> extends Required<Lesson> {
  readonly options: ValuesOf<T>;
}

interface About {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  readonly paper: string;
  /** It sees at most so many rows: of more, a random sample, from which the nearest rows carry it to the others. */
  readonly most: number;
}

export interface Teacher extends About {
  /** What may be said about how it works; most have nothing. */
  readonly options: OptionTable;
  /** Whether it is told how many clusters there are, or finds out. */
  readonly clusters: "told" | "found";
  /**
   * A partition of finite rows [n, d]. The same rows, lesson and seed give the same bits. There are fewer clusters than
   * wanted only where fewer rows are different, and never more.
   */
  teach(rows: Tensor<"float32">, lesson: Lesson): Promise<Partition>;
}

/** What a teacher's file declares: its algorithm, on at most `most` rows. */
type Declared<T extends OptionTable> = About & { readonly options?: T } & (
    | {
        readonly clusters: "found";
        divide(rows: Tensor<"float32">, lesson: Omit<Work<T>, "clusters">): Promise<Division>;
      }
    /** More rows are different than there are clusters, and there are two clusters or more. */
    | { readonly clusters: "told"; divide(rows: Tensor<"float32">, lesson: Work<T>): Promise<Division> }
  );

/** Makes a teacher of an algorithm: what all of them have in common is here. */
export function teacher<const T extends OptionTable = Record<never, never>>(declared: Declared<T>): Teacher {
  const { name, about, paper, most, clusters } = declared;
  const table: OptionTable = declared.options ?? {};
  const teach = async (rows: Tensor<"float32">, lesson: Lesson): Promise<Partition> => {
    checkRows(name, rows);
    const options = resolve(name, table, lesson.options ?? {}) as ValuesOf<T>;
    const { pace, multiply = plainMultiply(pace) } = lesson;
    const own = { ...lesson, random: lesson.random.fork(name), multiply, options };
    await pace();
    const n = rows.shape[0]!;
    const seen = n > most ? own.random.fork("sample").permutation(n).subarray(0, most).sort() : undefined;
    if (!seen) return partitionOf(await divided(declared, rows, own));
    const sample = takeRows(rows, seen);
    const division = await divided(declared, sample, own);
    const notes = [...(division.notes ?? []), sampleNote(name, most, n)];
    return partitionOf({ ...(await carried(division, sample, seen, rows, pace)), notes });
  };
  return { name, about, paper, most, options: table, clusters, teach };
}

function sampleNote(name: string, most: number, n: number): string {
  const [seen, all] = [thousands(most), thousands(n)];
  return `${name} saw ${seen} of ${all} rows, drawn at random; each other row goes where most of its ten nearest of these are`;
}

/**
 * By the algorithm. One that is told how many has no work where there is one cluster, or where no more rows are
 * different than there are clusters: those that are equal are one.
 */
async function divided<T extends OptionTable>(
  declared: Declared<T>,
  rows: Tensor<"float32">,
  lesson: Omit<Work<T>, "clusters"> & Pick<Lesson, "clusters">,
): Promise<Division> {
  if (declared.clusters === "found") return declared.divide(rows, lesson);
  const clusters = wanted(declared.name, lesson);
  if (clusters === 1) return { labels: new Int32Array(rows.shape[0]!) };
  const few = distinctRows(rows, clusters);
  if (few) return { labels: few };
  // An algorithm may leave some empty.
  const { notes, ...division } = await declared.divide(rows, { ...lesson, clusters });
  return { ...filledUp(division, rows, clusters, lesson.random.fork("filled")), ...(notes && { notes }) };
}

function wanted(name: string, { clusters }: Pick<Lesson, "clusters">): number {
  if (clusters === undefined || !Number.isInteger(clusters) || clusters < 1) {
    throw new RangeError(`${name}: clusters must be a whole number from 1, got ${clusters}`);
  }
  return clusters;
}

function checkRows(name: string, { shape, data }: Tensor<"float32">): void {
  if (shape.length !== 2 || shape[0]! < 1 || shape[1]! < 1) {
    throw new RangeError(`${name}: rows must be [n, d] with a row and a column at least, got [${shape}]`);
  }
  const at = data.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  const [row, column] = [Math.floor(at / shape[1]!), at % shape[1]!];
  throw new RangeError(`${name}: rows must be finite numbers, got ${data[at]} in row ${row}, column ${column}`);
}
