/** All rows as a table: only what is seen is here; the server sorts and filters. */

import { useSignal } from "@preact/signals";
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { useEffect, useRef } from "preact/hooks";
import type { TablePage } from "../../api/rows.ts";
import { number, percent, quantity } from "../../report/parts/numbers.ts";
import { ClusterButton } from "../panels/Badge.tsx";
import { cellText } from "../panels/words.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { look, view } from "../state/view.ts";

type Row = TablePage["rows"][number];
type Sort = { readonly by: number | "row" | "cluster" | "confidence" | "outlier"; readonly descending: boolean };

const rowHeight = 30;
const pageSize = 100;
/** Columns beside the placement. */
const mostColumns = 30;

const placed = [
  ["row", "row"],
  ["cluster", "cluster"],
  ["confidence", "confidence"],
  ["outlier", "outlier"],
] as const;

export function TableView({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  const area = useRef<HTMLElement>(null);
  const sort = useSignal<Sort>({ by: "row", descending: false });
  const total = useSignal(run.rows);
  const columns = useSignal<readonly string[]>([]);
  const pages = useSignal<ReadonlyMap<number, readonly Row[]>>(new Map());
  const asking = useRef(new Set<number>());
  const seen = useSignal<readonly { readonly index: number; readonly start: number }[]>([]);
  const virtual = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  const mask = run.mask.value;
  const version = run.curation.value?.version ?? 0;
  const asked = useRef(0);

  const fetchPage = (page: number): void => {
    if (asking.current.has(page) || pages.value.has(page)) return;
    asking.current.add(page);
    const round = asked.current;
    void session.attempt(async () => {
      const answer = await run.source.ask("table", {
        path: { run: run.id },
        body: {
          ...(mask && { filter: { mask: mask.base64() } }),
          sort: sort.value,
          offset: page * pageSize,
          limit: pageSize,
        },
      });
      // Of a filter or an order that is not wanted any more.
      if (round !== asked.current) return;
      asking.current.delete(page);
      total.value = answer.total;
      columns.value = answer.columns;
      pages.value = new Map(pages.value).set(page, answer.rows);
    });
  };

  useEffect(() => {
    asked.current++;
    asking.current.clear();
    pages.value = new Map();
    area.current?.scrollTo({ top: 0 });
    fetchPage(0);
  }, [run, mask, sort.value, version]);

  useEffect(() => {
    const made = new Virtualizer<HTMLElement, HTMLElement>({
      count: total.value,
      getScrollElement: () => area.current,
      estimateSize: () => rowHeight,
      overscan: 12,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange(changed) {
        seen.value = changed.getVirtualItems().map(({ index, start }) => ({ index, start }));
      },
    });
    virtual.current = made;
    const stop = made._didMount();
    made._willUpdate();
    seen.value = made.getVirtualItems().map(({ index, start }) => ({ index, start }));
    return stop;
  }, [run]);
  useEffect(() => {
    const made = virtual.current;
    if (!made) return;
    made.setOptions({ ...made.options, count: total.value });
    made._willUpdate();
    seen.value = made.getVirtualItems().map(({ index, start }) => ({ index, start }));
  }, [total.value]);
  useEffect(() => {
    for (const page of new Set(seen.value.map(({ index }) => Math.floor(index / pageSize)))) fetchPage(page);
  }, [seen.value, pages.value]);

  const shown = columns.value.slice(0, mostColumns);
  const by = (column: Sort["by"]): void => {
    sort.value = { by: column, descending: sort.value.by === column && !sort.value.descending };
  };
  const cells = pages.value.get(0)?.[0]?.cells ?? [];
  const head = (column: Sort["by"], name: string) => (
    <th
      key={column}
      scope="col"
      class={typeof column === "number" && typeof cells[column] === "string" ? "words" : ""}
      aria-sort={sort.value.by === column ? (sort.value.descending ? "descending" : "ascending") : "none"}
    >
      <button type="button" onClick={() => by(column)}>
        {name}
        {sort.value.by === column && (sort.value.descending ? " ▼" : " ▲")}
      </button>
    </th>
  );
  const [first, last] = [seen.value[0], seen.value.at(-1)];
  const below = total.value * rowHeight - (last ? last.start + rowHeight : 0);
  return (
    <section class="table" aria-label="All rows">
      <p class="soft">
        {quantity(total.value, "row")}; a row opens beside the table. Up and down go from one to the next.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it */}
      <section class="scroll" ref={area} tabIndex={0} aria-label="Rows, to scroll through">
        <table aria-rowcount={total.value + 1}>
          <thead>
            <tr>
              {placed.map(([column, name]) => head(column, name))}
              {shown.map((name, i) => head(i, name))}
            </tr>
          </thead>
          <tbody>
            {first && first.start > 0 && <tr class="space" style={{ height: `${first.start}px` }} />}
            {seen.value.map(({ index }) => {
              const row = pages.value.get(Math.floor(index / pageSize))?.[index % pageSize];
              return (
                <tr key={index} aria-rowindex={index + 2} class={row && row.row === view.value.row ? "on" : ""}>
                  {row ? <Cells run={run} row={row} count={shown.length} /> : <td colSpan={4 + shown.length}>…</td>}
                </tr>
              );
            })}
            {below > 0 && <tr class="space" style={{ height: `${below}px` }} />}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** Up and down go from row to row, with what is seen of them. */
function walk(event: KeyboardEvent): void {
  const towards = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" } as const;
  const way = towards[event.key as keyof typeof towards];
  const row = (event.currentTarget as HTMLElement).closest("tr")?.[way];
  const next = row?.querySelector<HTMLElement>("th button");
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Cells({ run, row, count }: { readonly run: OpenRun; readonly row: Row; readonly count: number }) {
  return (
    <>
      <th scope="row">
        <button type="button" class="plain" onClick={() => look({ row: row.row }, true)} onKeyDown={walk}>
          {row.row}
        </button>
      </th>
      <td>
        <ClusterButton run={run} cluster={row.cluster} />
      </td>
      <td>{percent(row.confidence)}</td>
      <td>{number(row.outlier)}</td>
      {row.cells.slice(0, count).map((cell, i) => (
        <td key={i} class={typeof cell === "string" ? "words" : ""}>
          {cellText(cell)}
        </td>
      ))}
    </>
  );
}
