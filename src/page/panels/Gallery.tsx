/** All pictures of a cluster, the surest first, as many as somebody asks for. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { percent, thousands } from "../../report/parts/numbers.ts";
import type { OpenRun } from "../state/openRun.ts";
import { look } from "../state/view.ts";
import { Picture } from "./Picture.tsx";

/** So many more each time. */
const more = 48;

export function Gallery({ run, cluster }: { readonly run: OpenRun; readonly cluster: number }) {
  const isOpen = useSignal(false);
  const shown = useSignal(more);
  useEffect(() => {
    shown.value = more;
  }, [cluster]);
  const rows = isOpen.value ? rowsOf(run, cluster) : [];
  return (
    <details
      class="all"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>All its pictures</summary>
      {isOpen.value && <p class="soft">{thousands(rows.length)}, the surest first; only those of the filter.</p>}
      <ul class="gallery">
        {rows.slice(0, shown.value).map((row) => (
          <li key={row}>
            <button
              type="button"
              title={`Row ${row}, ${percent(run.confidence.value[row]!)} confident`}
              onClick={() => look({ row }, true)}
            >
              <Picture run={run} of={{ row }} alt={`Row ${row}`} />
            </button>
          </li>
        ))}
      </ul>
      {rows.length > shown.value && (
        <button type="button" onClick={() => (shown.value += more)}>
          {thousands(Math.min(more, rows.length - shown.value))} more
        </button>
      )}
    </details>
  );
}

function rowsOf(run: OpenRun, cluster: number): number[] {
  const [clusterOf, confidence, mask] = [run.clusterOf.value, run.confidence.value, run.mask.value];
  const rows: number[] = [];
  clusterOf.forEach((of, row) => {
    if (of === cluster && (mask?.has(row) ?? true)) rows.push(row);
  });
  return rows.sort((one, other) => confidence[other]! - confidence[one]! || one - other);
}
