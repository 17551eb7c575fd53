/** From pretrainings to what the student is taught. */

import { unitTensor } from "../numerics/kmeans.ts";
import { agree, chosenAmong, type Divided, dividedView, type View } from "../teachers/choice.ts";
import { teacherOf } from "../teachers/index.ts";
import type { TeacherName } from "../teachers/names.ts";
import type { Partition } from "../teachers/partition.ts";
import type { Lesson as Asked, ToldLesson } from "../teachers/teacher.ts";
import { sizeOf, type Tensor } from "../tensor/tensor.ts";
import type { Weights } from "./job.ts";
import type { Lesson } from "./lesson.ts";
import type { Plan } from "./plan.ts";
import type { Restart } from "./restart.ts";

/**
 * A teacher sees so many rows at most, on every machine: a sample that grew with memory would give other clusters on
 * another. The network learns to reconstruct all.
 */
export const mostTaught = 50_000;
/** Plain rows of more numbers are not looked at: few neighbours mean anything in them, and they take long. */
const widest = 100;

/** What a teacher says about the rows, or a sample of them. */
export async function lessonOf(
  plan: Plan,
  pretrained: readonly Weights[],
  begun: (index: number) => Restart,
  asked: Omit<Asked, "clusters">,
  ofRows?: Divided,
): Promise<Lesson> {
  const { rows, views } = await viewsOf(plan, pretrained, begun, asked);
  const lesson = { ...asked, clusters: plan.clusters };
  const name = plan.options.taughtBy as TeacherName | "auto";
  const { partition, ...who } =
    name === "auto" ? await chosen(views, lesson, ofRows) : await byName(name, views.at(-1)!, lesson, plan.options);
  const labels = new Int32Array(plan.count).fill(-1);
  rows.forEach((row, i) => {
    labels[row] = partition.labels[i]!;
  });
  return { labels, ...who, view: views[who.view]!.name };
}

/** By the teacher that suits the rows. What was made of plain rows before is not made again. */
async function chosen(views: readonly View[], lesson: ToldLesson, ofRows: Divided | undefined) {
  const all: Divided[] = [];
  for (const view of views) all.push((view.name === ofRows?.seen.name && ofRows) || (await dividedView(view, lesson)));
  return chosenAmong(all, lesson);
}

/** Whether rows themselves are looked at beside their codes. */
export function hasPlainRows({ row, options }: Plan): boolean {
  return row.length === 1 && sizeOf(row) <= widest && options.taughtBy === "auto";
}

/** Between two values of a category there is nothing: whoever goes by neighbours parts rows there, and nowhere else. */
export function isMixed({ shares = [] }: Plan): boolean {
  return shares.length > 0;
}

/**
 * Whether one pretraining more would help: two of rows that are not looked at themselves, too wide as they are, do not
 * agree on neighbours.
 */
export async function needsAnother(
  plan: Plan,
  pretrained: readonly Weights[],
  begun: (index: number) => Restart,
  asked: Omit<Asked, "clusters">,
): Promise<boolean> {
  if (plan.options.effort === "quick" || pretrained.length !== 2 || isMixed(plan)) return false;
  const { views } = await viewsOf(plan, pretrained, begun, asked);
  return views.length === 1 && !(await agree(views[0]!.codes, { ...asked, clusters: plan.clusters }));
}

/** What teachers look at: the columns of a table, and the codes of each pretraining; of the same rows. */
async function viewsOf(
  plan: Plan,
  pretrained: readonly Weights[],
  begun: (index: number) => Restart,
  { random }: Pick<Asked, "random">,
): Promise<{ readonly rows: Int32Array; readonly views: readonly View[] }> {
  const { options } = plan;
  const codes: Tensor<"float32">[] = [];
  // Of words and embeddings the direction says what a row is about, its length how much it says.
  const isOfWords = options.scaling === "length" && options.code !== "unit";
  const views: View[] = [];
  let rows = new Int32Array(0);
  for (const [index, weights] of pretrained.entries()) {
    const restart = begun(index);
    const sampled = async (as: "comparable" | "rows") => restart.sample(mostTaught, as, random.fork("sample"));
    try {
      if (restart.pretrains) await restart.load(weights);
      if (index === 0 && restart.pretrains && hasPlainRows(plan)) {
        views.push({ name: "rows", codes: [(await sampled("rows")).codes], isMixed: isMixed(plan) });
      }
      const sample = await sampled("comparable");
      codes.push(isOfWords ? unitTensor(sample.codes) : sample.codes);
      rows = sample.rows as Int32Array<ArrayBuffer>;
    } finally {
      await restart.close();
    }
  }
  return { rows, views: [...views, { name: "codes", codes, isMixed: isMixed(plan) }] };
}

/** What an option of a teacher is called among those of a method that it alone teaches. */
export function ofTeacher(option: string): string {
  return `teacher.${option}`;
}

/** By the teacher that was asked for, of the first pretraining; with its own options, where the method has them. */
async function byName(name: TeacherName, { codes }: View, lesson: ToldLesson, said: Plan["options"]) {
  const teacher = teacherOf(name);
  const values = said as Readonly<Record<string, unknown>>;
  const known = Object.keys(teacher.options).filter((option) => values[ofTeacher(option)] !== undefined);
  const options = Object.fromEntries(known.map((option) => [option, values[ofTeacher(option)]]));
  const partition: Partition = await teacher.teach(codes[0]!, { ...lesson, options });
  const reason = [`${name} was asked for`, ...(partition.notes ?? [])].join("; ");
  return { partition, view: 0, pretraining: 0, teacher: name, reason, tried: [] };
}
