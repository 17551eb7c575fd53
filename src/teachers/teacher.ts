/** A teacher: what turns rows into a partition. It knows no network. */

import { distinctRows } from "../numerics/distinctRows.ts";
import type { Pace } from "../numerics/pace.ts";
import type { Random } from "../tensor/random.ts";
import { type Tensor, takeRows } from "../tensor/tensor.ts";
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
  /** Whether it is told how many clusters there are, or finds out. */
  readonly clusters: "told" | "found";
  /**
   * A partition of finite rows [n, d]. The same rows, lesson and seed give the same bits. There are fewer clusters than
   * wanted only where fewer rows are different, and never more.
   */
  teach(rows: Tensor<"float32">, lesson: Lesson): Promise<Partition>;
}

/** What a teacher's file declares: its algorithm, on at most `most` rows. */
type Declared = About &
  (
    | { readonly clusters: "found"; divide(rows: Tensor<"float32">, lesson: Lesson): Promise<Division> }
    /** More rows are different than there are clusters, and there are two clusters or more. */
    | { readonly clusters: "told"; divide(rows: Tensor<"float32">, lesson: Required<Lesson>): Promise<Division> }
  );

/** Makes a teacher of an algorithm: what all of them have in common is here. */
export function teacher(declared: Declared): Teacher {
  const { name, about, paper, most, clusters } = declared;
  const teach = async (rows: Tensor<"float32">, lesson: Lesson): Promise<Partition> => {
    checkRows(name, rows);
    const own = { ...lesson, random: lesson.random.fork(name) };
    const { random, pace } = own;
    await pace();
    const n = rows.shape[0]!;
    const seen = n > most ? random.fork("sample").permutation(n).subarray(0, most).sort() : undefined;
    if (!seen) return partitionOf(await divided(declared, rows, own));
    const sample = takeRows(rows, seen);
    return partitionOf(await carried(await divided(declared, sample, own), sample, seen, rows, pace));
  };
  return { name, about, paper, most, clusters, teach };
}

/**
 * By the algorithm. One that is told how many has no work where there is one cluster, or where no more rows are
 * different than there are clusters: those that are equal are one.
 */
async function divided(declared: Declared, rows: Tensor<"float32">, lesson: Lesson): Promise<Division> {
  if (declared.clusters === "found") return declared.divide(rows, lesson);
  const clusters = wanted(declared.name, lesson);
  if (clusters === 1) return { labels: new Int32Array(rows.shape[0]!) };
  const few = distinctRows(rows, clusters);
  if (few) return { labels: few };
  // An algorithm may leave some empty.
  return filledUp(await declared.divide(rows, { ...lesson, clusters }), rows, clusters, lesson.random.fork("filled"));
}

function wanted(name: string, { clusters }: Lesson): number {
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
