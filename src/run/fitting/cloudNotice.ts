/** Whether the rows of a run show groups at all, and as many as were asked for: a sentence where they do not. */

import type { Data } from "../../data/data.ts";
import type { Model } from "../../model/model.ts";
import { rowsAsSeen } from "../../model/rowsAsSeen.ts";
import { countDistinct } from "../../numerics/distinctRows.ts";
import { looksLikeOneCloud, oneCloudNotice } from "../../training/chooseClusters.ts";
import type { RunDescription } from "../folder/schemas/runDescription.ts";

/** Why some of the clusters are empty. */
const fewRowsNotice = (different: number): string =>
  different === 1
    ? "all rows that were looked at are the same, and one cluster has them all"
    : `of the rows that were looked at only ${different} are different, and no more clusters can have rows`;

interface NoticeOptions {
  readonly stage: (stage: "looking for groups", done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Where the number of clusters was left open, what that has shown; where it was given, what some of the rows show, as
 * the network sees them: codes that have learned clusters would show them in any rows.
 */
export async function cloudNotice(
  model: Model,
  data: Data,
  { choice, settings: { groups = true } }: RunDescription,
  { stage, signal }: NoticeOptions,
): Promise<string | undefined> {
  const { clusters, seed } = model.plan;
  if (clusters === 1) return undefined;
  if (choice) return choice.between?.[1] === 1 ? oneCloudNotice : undefined;
  if (!groups) return undefined;
  const onTried = (done: number, total: number): void => stage("looking for groups", done, total);
  const rows = await rowsAsSeen(model, data);
  const different = countDistinct(rows, clusters - 1);
  if (different !== undefined) return fewRowsNotice(different);
  const isCloud = await looksLikeOneCloud(rows, clusters, seed, { onTried, ...(signal && { signal }) });
  return isCloud ? oneCloudNotice : undefined;
}
