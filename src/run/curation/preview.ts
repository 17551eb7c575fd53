/** What an edit would change, before anything is written. */

import type { Edit } from "../folder/schemas/curation.ts";
import { clusterAfter } from "./state.ts";

/** Above this share of rows that nobody asked about, an edit has to be confirmed. */
export const mostUnasked = 0.001;

export interface Preview {
  readonly edit: Edit;
  /** Of all rows; nothing where they could not be read. */
  readonly rows?: number;
  /** Rows that the edit is about, and how many of them end where it says. */
  readonly asked: number;
  readonly followed: number;
  /** Other rows that would be in another cluster, and their share of all. */
  readonly others: number;
  readonly share: number;
  /** Whether that is so much that the edit is only made where it is confirmed. */
  readonly needsConfirmation: boolean;
  /** The clusters afterwards; a size is known where the rows are. */
  readonly clusters: readonly { readonly name: string; readonly size?: number }[];
  /** Why it has to wait, in words: the rows are not there. */
  readonly waits?: string;
}

/** An edit that would change more than was asked for, and was not confirmed. */
export class NotConfirmed extends RangeError {
  readonly preview: Preview;

  constructor(preview: Preview) {
    super(
      `curate: ${preview.others} other rows would be in another cluster (${percent(preview.share)} of all, and more than ${percent(mostUnasked)} is asked about); do it all the same with --yes (confirm: true)`,
    );
    this.preview = preview;
  }
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** By the cluster of each row before, when there were `clusters` of them, and after. */
export function compared(
  edit: Edit,
  clusters: number,
  before: Int32Array,
  after: Int32Array,
  placeOf: (row: number) => number,
): Pick<Preview, "asked" | "followed" | "others"> {
  const places = edit.kind === "move" || edit.kind === "gather" ? edit.rows.map(placeOf) : [];
  const said = new Set(places);
  const wanted = edit.kind === "move" ? edit.to : clusters;
  let [asked, followed, others] = [0, 0, 0];
  before.forEach((cluster, row) => {
    const now = after[row]!;
    const isOfSplit = edit.kind === "split" && cluster === edit.cluster;
    const isOfMerge = edit.kind === "merge" && edit.clusters.includes(cluster);
    if (isOfSplit || isOfMerge || said.has(row)) asked++;
    const isRight = said.has(row)
      ? now === wanted
      : isOfSplit
        ? now === cluster || now >= clusters
        : now === clusterAfter(edit, cluster);
    if (isRight && (isOfSplit || isOfMerge || said.has(row))) followed++;
    // A row that is not where it was asked to go is none of the others; one that leaves a split cluster is.
    if (!isRight && !said.has(row)) others++;
  });
  return { asked, followed, others };
}
