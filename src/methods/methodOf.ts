/** A method by its name, also by a teacher's. */

import { nearest } from "../options.ts";
import { toldNames } from "../teachers/names.ts";
import type { Method } from "../training/method.ts";
import { isMethodName, methods } from "./index.ts";
import { taughtBy } from "./taughtBy.ts";

/** A method of ours by its name, or nothing. */
export function oursOf(name: string): Method | undefined {
  return isMethodName(name) ? methods[name] : taughtBy(name);
}

/** The method of a name; of a teacher's name, the default student taught by it. */
export function methodOf(name: string): Method {
  const ours = oursOf(name);
  if (ours) return ours;
  const known = Object.keys(methods);
  const near = nearest(name, [...known, ...toldNames]);
  throw new RangeError(
    `method: there is no "${name}"${near ? `; did you mean ${near}?` : `; there are ${known.join(", ")}, and the teachers of docs/teachers.md`}`,
  );
}
