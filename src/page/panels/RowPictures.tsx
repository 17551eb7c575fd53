/** Rows as pictures, or as a list with what they say; each opens its own panel. */

import type { ShownRow } from "../../api/runs.ts";
import { percent, unbroken } from "../../report/parts/numbers.ts";
import type { OpenRun } from "../state/openRun.ts";
import { look } from "../state/view.ts";
import { Badge } from "./Badge.tsx";
import { Picture } from "./Picture.tsx";

interface Given {
  readonly run: OpenRun;
  readonly title: string;
  readonly rows: readonly ShownRow[];
  /** Whether it matters where a row would go next. */
  readonly second?: boolean;
}

export function RowPictures({ run, title, rows, second = false }: Given) {
  const { source } = run.description.value;
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class={source.arePictures && source.isThere ? "gallery" : "rows"}>
        {rows.map((row) => {
          const name = row.id ?? `row ${row.row}`;
          return (
            <li key={row.row}>
              <button
                type="button"
                onClick={() => look({ row: row.row }, true)}
                title={`${name}, ${percent(row.confidence)} confident`}
              >
                {source.arePictures && source.isThere ? (
                  <Picture run={run} of={{ row: row.row }} alt={name} />
                ) : (
                  <>
                    <b>{name}</b> {row.text ?? unbroken(row.says ?? "")}
                  </>
                )}
                {second && " "}
                {second && (
                  <span class="next">
                    or <Badge run={run} cluster={row.second} />
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
