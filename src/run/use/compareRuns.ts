/** How two runs agree: which clusters are the same, and which rows are elsewhere. */

import { openSettings } from "../../files/openedRows.ts";
import { metrics } from "../../metrics/index.ts";
import { checkSettings } from "../../settings.ts";
import type { Run } from "../folder/openRun.ts";
import { matchClusters, type Pairing } from "./matchClusters.ts";
import { type AboutRow, type CompareOptions, compareSettings, type PlacedInBoth, placedInBoth } from "./rowsInBoth.ts";

export interface MatchedClusters {
  readonly a: number;
  readonly b: number;
  readonly aName: string;
  readonly bName: string;
  /** Rows that are in both. */
  readonly rows: number;
  /** Of the rows that are in one of them or both, the share that is in both. */
  readonly share: number;
}

export interface LonelyCluster {
  readonly cluster: number;
  readonly name: string;
  readonly rows: number;
}

export interface MovedRow extends AboutRow {
  readonly row: number;
  /** Its cluster in the first run, and in the second. */
  readonly from: number;
  readonly to: number;
}

export interface Comparison {
  readonly rows: number;
  readonly agreement: { readonly accuracy: number; readonly nmi: number; readonly ari: number; readonly ami: number };
  /** The largest first. */
  readonly matched: readonly MatchedClusters[];
  readonly unmatched: { readonly a: readonly LonelyCluster[]; readonly b: readonly LonelyCluster[] };
  /** How many rows are not in the cluster that matches theirs. */
  readonly moved: number;
  /** The first hundred of them. */
  readonly movedRows: readonly MovedRow[];
}

const shown = 100;

/** Compares on the same rows: what both say about them, which somebody may know already. */
export async function compareRuns(
  a: Run,
  b: Run,
  options: CompareOptions = {},
  placed?: PlacedInBoth,
): Promise<Comparison> {
  checkSettings("compare", options, compareSettings, { rows: openSettings });
  const both = placed ?? (await placedInBoth(a, b, options));
  const names = { a: await a.names(), b: await b.names() };
  const pairing = matchClusters(both.a, both.b, names.a.length, names.b.length);
  const moved: number[] = [];
  let count = 0;
  for (let row = 0; row < both.a.length; row++) {
    if (pairing.partner[both.a[row]!] === both.b[row]!) continue;
    if (count++ < shown) moved.push(row);
  }
  const more = await both.about(moved);
  const score = (name: "accuracy" | "nmi" | "ari" | "ami"): number => metrics[name].score(both.a, both.b);
  return {
    rows: both.a.length,
    agreement: { accuracy: score("accuracy"), nmi: score("nmi"), ari: score("ari"), ami: score("ami") },
    ...pairs(pairing, names),
    moved: count,
    movedRows: moved.map((row) => ({ row, from: both.a[row]!, to: both.b[row]!, ...more.get(row) })),
  };
}

function pairs({ partner, counts, sizes }: Pairing, names: { a: readonly string[]; b: readonly string[] }) {
  const matched: MatchedClusters[] = [];
  partner.forEach((b, a) => {
    if (b < 0) return;
    const rows = counts[a * sizes.b.length + b]!;
    const share = rows / (sizes.a[a]! + sizes.b[b]! - rows);
    matched.push({ a, b, aName: names.a[a]!, bName: names.b[b]!, rows, share });
  });
  const lonely = (sizes: Float64Array, names: readonly string[], isMatched: (cluster: number) => boolean) =>
    names
      .map((name, cluster): LonelyCluster => ({ cluster, name, rows: sizes[cluster]! }))
      .filter(({ cluster }) => !isMatched(cluster));
  return {
    matched: matched.sort((one, other) => other.rows - one.rows || one.a - other.a),
    unmatched: {
      a: lonely(sizes.a, names.a, (cluster) => partner[cluster]! >= 0),
      b: lonely(sizes.b, names.b, (cluster) => partner.includes(cluster)),
    },
  };
}
