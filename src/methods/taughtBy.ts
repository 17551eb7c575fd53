/** The default student, taught by one teacher and nobody else: what `--method ssc` means. */

import { choice, type OptionTable } from "../options.ts";
import { teachers } from "../teachers/index.ts";
import { listedName, type ToldName, toldNames } from "../teachers/names.ts";
import type { Method } from "../training/method.ts";
import { ofTeacher } from "../training/teaching.ts";
import { telltale } from "./telltale.ts";

/** Each is made once, so that it is the same wherever it is asked for. */
const made = new Map<ToldName, Method>();

/** The method of a teacher's name, its own or one that papers have for it; nothing where there is no such teacher. */
export function taughtBy(name: string): Method | undefined {
  const listed = listedName(name);
  if (!isTold(listed)) return undefined;
  const known = made.get(listed) ?? methodFor(listed);
  made.set(listed, known);
  return known;
}

function isTold(name: string): name is ToldName {
  return (toldNames as readonly string[]).includes(name);
}

/** Its options are the student's, and those of the teacher as `teacher.NAME`. */
function methodFor(name: ToldName): Method {
  const { about, paper, options } = teachers[name];
  const own: OptionTable = Object.fromEntries(
    Object.entries(options).map(([option, declared]) => [ofTeacher(option), declared]),
  );
  const who = choice("Who partitions the codes of the rows.", [name], name);
  return { ...telltale, name, about, paper, options: { ...own, ...telltale.options, taughtBy: who } };
}
