/** Where somebody begins who was led to nothing in particular: at what there is to look at, or to fit. */

import type { RunBrief } from "../../api/runs.ts";
import type { View } from "./address.ts";

/** The one run, or the fit of the first file; where there is a choice, the list of runs. */
export function beginning(
  [only, ...others]: readonly Pick<RunBrief, "id" | "state">[],
  files: number,
): Partial<View> | undefined {
  if (!only) return files > 0 ? { page: "training" } : undefined;
  const isAlone = others.length === 0 && files === 0 && only.state === "done";
  return isAlone ? { page: "map", run: only.id } : undefined;
}
