/** What the clusters stand for at an epoch: their centers, decoded (TELL, Fig. 5). */

import type { Fit, Frame } from "../../api/fits.ts";
import { RowDrawing } from "../panels/RowDrawing.tsx";
import { useAnswer } from "../panels/useAnswer.ts";
import type { Numbers } from "../source/source.ts";

export type Look = NonNullable<Fit["pictures"]>;

/** Clusters that are shown at most. */
const shown = 64;

interface Given {
  readonly frame: Frame;
  readonly look: Look;
  readonly ask: (frame: number, signal: AbortSignal) => Promise<Numbers>;
}

export function Exemplars({ frame, look, ask }: Given) {
  const { value } = useAnswer((signal) => ask(frame.frame, signal), [frame.frame]);
  if (!value) return null;
  const size = look.row.reduce((product, length) => product * length, 1);
  const count = Math.min(shown, Math.floor(value.length / size));
  return (
    <ul class="exemplars" aria-label={`What the clusters are after epoch ${frame.epoch} of ${frame.phase}`}>
      {Array.from({ length: count }, (_, cluster) => (
        <li key={cluster} style={{ "--c": `var(--c${cluster % 10})` }}>
          <RowDrawing
            values={[...value.subarray(cluster * size, (cluster + 1) * size)]}
            shape={look.row}
            range={look.range}
            label={`Cluster ${cluster}`}
          />
        </li>
      ))}
    </ul>
  );
}
