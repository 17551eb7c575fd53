/** All clusters as a list: what the map shows, for the keyboard and the screen reader too. */

import { percent, quantity, thousands } from "../../report/parts/numbers.ts";
import type { OpenRun } from "../state/openRun.ts";
import { filterBy, look, view } from "../state/view.ts";
import { Badge } from "./Badge.tsx";
import { Picture } from "./Picture.tsx";
import { nameOf } from "./words.ts";

export function ClusterList({ run }: { readonly run: OpenRun }) {
  const { clusters, source } = run.description.value;
  const [mask, clusterOf] = [run.mask.value, run.clusterOf.value];
  const within = mask && countWithin(clusterOf, mask.rows());
  const chosen = view.value.filter.clusters;
  const toggle = (cluster: number): void =>
    filterBy({ clusters: chosen.includes(cluster) ? chosen.filter((one) => one !== cluster) : [...chosen, cluster] });
  return (
    <section class="list" aria-label="Clusters">
      <h2>
        {quantity(clusters.length, "cluster")} <span class="soft">of {thousands(run.rows)} rows</span>
      </h2>
      {clusters.length === 1 && (
        <p class="soft">All rows are in one cluster. Train again and say how many there are to be, or split it.</p>
      )}
      <ul>
        {clusters.map((cluster) => (
          <li key={cluster.cluster}>
            <input
              type="checkbox"
              aria-label={`Only cluster ${cluster.cluster} and others that are checked`}
              checked={chosen.includes(cluster.cluster)}
              onChange={() => toggle(cluster.cluster)}
            />
            <button type="button" onClick={() => look({ cluster: cluster.cluster, row: undefined }, true)}>
              <Badge run={run} cluster={cluster.cluster} />
              {source.arePictures && cluster.size > 0 && <Picture run={run} of={{ cluster: cluster.cluster }} alt="" />}
              <span class="name">{nameOf(cluster)}</span>
              <span class="size">
                {within ? `${thousands(within.get(cluster.cluster) ?? 0)} / ` : ""}
                {thousands(cluster.size)} <span class="soft">{percent(cluster.share)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function countWithin(clusterOf: Uint32Array, rows: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(clusterOf[row]!, (counts.get(clusterOf[row]!) ?? 0) + 1);
  return counts;
}
