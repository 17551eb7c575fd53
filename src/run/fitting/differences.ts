/** differences.csv: the rows of which the model says something else than the person who taught it. */

import type { PlacedBatch } from "../../explain/placement.ts";
import type { Ids } from "../../files/openRows.ts";
import { type Cell, type Output, type OutputColumn, openOutput } from "../../files/output/openOutput.ts";
import type { Model } from "../../model/model.ts";
import { heldOutBy, type OwnLabels } from "../../training/lesson.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import { idColumns } from "../use/assignFile.ts";

const columns: readonly OutputColumn[] = [
  { name: "row", type: "integer" },
  { name: "teacher", type: "text" },
  { name: "model", type: "text" },
  { name: "confidence", type: "number" },
  { name: "held_out", type: "integer" },
];

interface Listed {
  readonly folder: Pick<RunFolder, "output">;
  readonly model: Model;
  readonly ids?: Ids;
  readonly numbers?: Int32Array;
}

export class Differences {
  readonly #output: Output;
  readonly #teacher: OwnLabels;
  readonly #held: Int32Array;
  readonly #numbers: Int32Array | undefined;

  private constructor(output: Output, teacher: OwnLabels, held: Int32Array, numbers: Int32Array | undefined) {
    this.#output = output;
    this.#teacher = teacher;
    this.#held = held;
    this.#numbers = numbers;
  }

  static async begin({ folder, model, ids, numbers }: Listed, teacher: OwnLabels): Promise<Differences> {
    const [row, ...rest] = columns as [OutputColumn, ...OutputColumn[]];
    const all = [row, ...idColumns(ids?.names, columns), ...rest];
    // People look at it in spreadsheets; no program reads it.
    const settings = { out: folder.output("differences.csv"), guardFormulas: true };
    const output = await openOutput("csv", all, settings);
    return new Differences(output, teacher, heldOutBy(model.plan, teacher.labels).held, numbers);
  }

  async add({ placements, ids }: PlacedBatch): Promise<void> {
    const { labels, names } = this.#teacher;
    const lines = placements.flatMap(({ row, cluster, confidence }, i): Cell[][] => {
      const said = labels[row]!;
      if (said < 0 || said === cluster) return [];
      const isHeld = this.#held[row]! >= 0 ? 1 : 0;
      return [[this.#numbers?.[row] ?? row, ...(ids?.[i] ?? []), names[said]!, names[cluster]!, confidence, isHeld]];
    });
    if (lines.length > 0) await this.#output.write(lines);
  }

  end(): Promise<void> {
    return this.#output.end();
  }

  abandon(): Promise<void> {
    return this.#output.abandon();
  }
}
