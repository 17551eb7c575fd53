/** A small card beside the pointer: the row's picture or its first values. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WholeRow } from "../../api/runs.ts";
import { percent } from "../../report/parts/numbers.ts";
import { Badge } from "../panels/Badge.tsx";
import { Picture } from "../panels/Picture.tsx";
import { cellText, isToRead } from "../panels/words.ts";
import type { Size } from "../points/camera.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";

export interface Hovered {
  readonly row: number;
  readonly left: number;
  readonly top: number;
}

/** So long a pointer rests before a row is asked for. */
const rest = 60;
const shownValues = 6;

interface Given {
  readonly run: OpenRun;
  readonly session: Session;
  readonly hovered: Hovered;
  readonly size: Size;
}

export function HoverCard({ run, session, hovered, size }: Given) {
  const whole = useSignal<WholeRow | undefined>(undefined);
  const { row, left, top } = hovered;
  const { source } = run.description.value;
  useEffect(() => {
    whole.value = undefined;
    if (!source.isThere || source.arePictures) return undefined;
    const ending = new AbortController();
    const waiting = setTimeout(() => {
      const path = { run: run.id, row };
      void session.attempt(async () => {
        whole.value = await run.source.ask("row", { path, signal: ending.signal });
      });
    }, rest);
    return () => {
      clearTimeout(waiting);
      ending.abort();
    };
  }, [run, row]);
  const cluster = run.clusterOf.value[row]!;
  const toLeft = left > size.width / 2;
  const upward = top > size.height / 2;
  return (
    <div
      class="hover"
      style={{
        left: `${left}px`,
        top: `${top}px`,
        translate: `${toLeft ? "calc(-100% - 14px)" : "14px"} ${upward ? "-100%" : "0"}`,
      }}
    >
      {source.arePictures && source.isThere && <Picture run={run} of={{ row }} alt="" />}
      <p>
        <Badge run={run} cluster={cluster} /> {run.clusters.value.get(cluster)?.name}
        <br />
        <span class="soft">
          row {row}, {percent(run.confidence.value[row]!)} confident
        </span>
      </p>
      {whole.value && (
        <>
          {whole.value.values
            .filter(({ value }) => isToRead(value))
            .slice(0, 1)
            .map(({ column, value }) => (
              <p key={column} class="begins">
                {cellText(value)}
              </p>
            ))}
          <dl>
            {whole.value.values
              .filter(({ value }) => !isToRead(value))
              .slice(0, shownValues)
              .map(({ column, value }) => (
                <div key={column}>
                  <dt>{column}</dt>
                  <dd>{cellText(value)}</dd>
                </div>
              ))}
          </dl>
        </>
      )}
    </div>
  );
}
