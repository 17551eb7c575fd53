/** The number of a cluster in a ring of its color: the number says which, for whoever does not see the color. */

import type { OpenRun } from "../state/openRun.ts";
import { look } from "../state/view.ts";
import { nameOf } from "./words.ts";

interface Given {
  readonly run: OpenRun;
  readonly cluster: number;
  /** Another than it has on the map. */
  readonly color?: number | undefined;
}

export function Badge({ run, cluster, color = run.colors.value.get(cluster) ?? 0 }: Given) {
  return (
    <span class="badge" style={{ "--c": `var(--c${color})` }}>
      {cluster}
    </span>
  );
}

/** The number, which opens the cluster's panel. */
export function ClusterButton({ run, cluster }: { readonly run: OpenRun; readonly cluster: number }) {
  const known = run.clusters.value.get(cluster);
  const words = known ? `cluster ${cluster}: ${nameOf(known)}` : `cluster ${cluster}`;
  return (
    <button
      type="button"
      class="cluster"
      title={words}
      aria-label={words}
      onClick={() => look({ cluster, row: undefined }, true)}
    >
      <Badge run={run} cluster={cluster} />
    </button>
  );
}
