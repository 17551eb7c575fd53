/** From pretrainings to what the student is taught. */

import { consensusOf } from "../teachers/consensus.ts";
import { teacherOf } from "../teachers/index.ts";
import type { Partition } from "../teachers/partition.ts";
import type { Lesson as Asked } from "../teachers/teacher.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Weights } from "./job.ts";
import type { Lesson } from "./lesson.ts";
import type { Plan } from "./plan.ts";
import type { Restart } from "./restart.ts";

/** A teacher sees so many rows at most; the network learns to reconstruct all. */
export const mostTaught = 50_000;

/** What a teacher says about the rows, or a sample of them. */
export async function lessonOf(
  plan: Plan,
  pretrained: readonly Weights[],
  begun: (index: number) => Restart,
  asked: Omit<Asked, "clusters">,
): Promise<Lesson> {
  const { clusters, count } = plan;
  const name = String(plan.options.taughtBy);
  const codes: Tensor<"float32">[] = [];
  let rows = new Int32Array(0);
  for (const [index, weights] of pretrained.entries()) {
    const restart = begun(index);
    try {
      if (restart.pretrains) await restart.load(weights);
      // The same rows of every pretraining.
      const sample = await restart.sample(mostTaught, "comparable", asked.random.fork("sample"));
      codes.push(sample.codes);
      rows = sample.rows as Int32Array<ArrayBuffer>;
    } finally {
      await restart.close();
    }
  }
  const teacher = teacherOf(name === "auto" ? "manifold" : name);
  const partitions: Partition[] = [];
  for (const view of codes) partitions.push(await teacher.teach(view, { ...asked, clusters }));
  const partition = partitions.length > 1 ? consensusOf(partitions) : partitions[0]!;
  const labels = new Int32Array(count).fill(-1);
  rows.forEach((row, i) => {
    labels[row] = partition.labels[i]!;
  });
  return {
    labels,
    pretraining: 0,
    teacher: teacher.name,
    view: "codes",
    reason: `${teacher.name} was asked for`,
    tried: [],
  };
}
