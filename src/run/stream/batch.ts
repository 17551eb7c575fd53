/** Lines to rows, and a batch of rows to what is written about them. */

import type { Placement } from "../../explain/clusters/clusterSummary.ts";
import type { Reach } from "../../explain/outlier.ts";
import { placeRows } from "../../explain/placement.ts";
import type { Cell, OutputColumn } from "../../files/output/openOutput.ts";
import type { Model } from "../../model/model.ts";
import { type Tensor, tensor } from "../../tensor/tensor.ts";
import type { SourceDescription } from "../folder/schemas/runDescription.ts";
import { idColumns, placementColumns, placementReaders } from "../use/assignFile.ts";
import { BadRow } from "./cells.ts";
import { textOf } from "./header.ts";
import type { Line } from "./lineReader.ts";
import { type Header, recordReader } from "./records.ts";
import { rowReader } from "./rowReader.ts";

export interface Row {
  readonly ids: readonly string[];
  /** None where the row is bad. */
  readonly numbers?: Float32Array;
  /** Of a bad row, where it is, what is wrong with it, and what stands there; in base64 where that is no text. */
  readonly problem?: {
    readonly where: string;
    readonly problem: string;
    readonly text?: string;
    readonly base64?: string;
  };
}

export interface Rows {
  readonly columns: readonly OutputColumn[];
  readonly ignored: readonly string[];
  /** The row of a line; nothing for an empty line. */
  of(line: Line): Row | undefined;
}

/** `skipBad`: a bad row is one without numbers; otherwise it is an error that says where it is. */
export function rowsOf(source: string, header: Header, fitted: SourceDescription, skipBad: boolean): Rows {
  const reader = rowReader(source, header, fitted);
  const read = recordReader(header);
  const row: OutputColumn = { name: "row", type: "integer" };
  return {
    columns: [row, ...idColumns(reader.ids, [row, ...placementColumns]), ...placementColumns],
    ignored: reader.ignored,
    of(line) {
      if (isEmpty(line, header)) return undefined;
      const where = line.name ?? `line ${line.number}`;
      const nameless = { ids: reader.ids.map(() => "") };
      return orBad(nameless, () => {
        const record = read(textOf(line));
        const named = { ids: reader.idsOf(record) };
        return orBad(named, () => ({ ...named, numbers: reader.numbersOf(record) }));
      });

      function orBad(instead: Row, parse: () => Row): Row {
        try {
          return parse();
        } catch (error) {
          if (!(error instanceof BadRow)) throw error;
          const problem = error.message;
          if (skipBad) return { ...instead, problem: { where, problem, ...asTextOf(line) } };
          throw new RangeError(
            `${source}: ${where}: ${problem}; ${line.name === undefined ? "correct it, or " : ""}leave such rows out with --skip-bad`,
          );
        }
      }
    },
  };
}

/** White between lines is nothing. A message that says nothing is one all the same. */
function isEmpty({ bytes, name }: Line, { separator }: Header): boolean {
  if (name !== undefined) return false;
  return separator === undefined ? bytes.every((byte) => byte <= 32) : bytes.length === 0;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function asTextOf({ bytes }: Line): { text: string } | { base64: string } {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") };
  }
}

/** The rows that can be used; nothing where none can. */
export function numbersOf(rows: readonly Row[]): Tensor<"float32"> | undefined {
  const good = rows.flatMap(({ numbers }) => (numbers ? [numbers] : []));
  if (good.length === 0) return undefined;
  const width = good[0]!.length;
  const x = new Float32Array(good.length * width);
  good.forEach((numbers, i) => {
    x.set(numbers, i * width);
  });
  return tensor("float32", [good.length, width], x);
}

/** A line for each row, with empty cells for those that cannot be used; `first` is the number of the first of them. */
export async function placementCells(
  model: Model,
  rows: readonly Row[],
  { first, reach }: { first: number; reach: readonly Reach[] },
): Promise<Cell[][]> {
  const x = numbersOf(rows);
  const placements: Placement[] = [];
  if (x) {
    for await (const batch of placeRows(model, await model.features(x), { reach })) {
      placements.push(...batch.placements);
    }
  }
  const good = placements.values();
  const readers = placementReaders(reach.length > 0);
  return rows.map(({ ids, numbers }, i) => {
    const placement = numbers && good.next().value;
    return [first + i, ...ids, ...readers.map((of) => (placement ? of(placement) : null))];
  });
}
