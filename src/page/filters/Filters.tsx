/** Which rows: by text, by doubt, by values of any column, used to cluster or not. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { list, number, percent, quantity, thousands } from "../../report/parts/numbers.ts";
import { RowEdits } from "../curation/RowEdits.tsx";
import { dayText } from "../panels/words.ts";
import { keep } from "../source/keep.ts";
import { anyRow, isAnyRow } from "../state/address.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { filterBy, linkToView, look, view } from "../state/view.ts";
import { Brush } from "./Brush.tsx";
import { histogramOf } from "./histogram.ts";

/** Columns that have their histogram at once; others when they are asked for. */
const atFirst = 4;
/** Rows that can be moved by name; more of them would be a cluster's own affair. */
const mostMoved = 100_000;

export function Filters({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  const { above, below } = view.value.filter;
  const mask = run.mask.value;
  const sure = useComputed(() => {
    const meant = run.mask.value;
    return histogramOf(run.confidence.value, meant && ((row) => meant.has(row))) ?? nothing;
  }).value;
  const columns = run.listedColumns;
  const opened = useSignal<readonly number[]>([]);
  useEffect(() => {
    const wanted = new Set([
      ...columns
        .filter(({ form }) => form !== "category")
        .slice(0, atFirst)
        .map(({ number }) => number),
      ...view.peek().filter.ranges.map(({ column }) => column),
    ]);
    opened.value = [...wanted];
  }, [run]);
  useEffect(() => {
    for (const column of opened.value) void session.attempt(() => run.column(column));
  }, [opened.value]);
  const closed = columns.filter(({ number, form }) => form !== "category" && !opened.value.includes(number));
  return (
    <section class="filters" aria-label="Filters">
      <h2>
        Rows{" "}
        <span class="soft">{mask ? `${thousands(mask.count)} of ${thousands(run.rows)}` : thousands(run.rows)}</span>
      </h2>
      <SearchBox />
      <Chosen session={session} run={run} />
      <Brush
        name="confidence"
        histogram={sure}
        range={above > 0 || below < 1 ? [Math.max(above, sure.from), below < 1 ? below : sure.to] : undefined}
        write={percent}
        onRange={([from, to] = [0, 1]) =>
          filterBy({ above: from > sure.from ? from : 0, below: to < sure.to ? to : 1 })
        }
      />
      {opened.value.map((column) => (
        <ColumnBrush key={`${run.id} ${column}`} run={run} column={column} />
      ))}
      {closed.length > 0 && (
        <label>
          <span class="unseen">Another column</span>
          <select
            value=""
            onChange={({ currentTarget }) => {
              opened.value = [...opened.value, Number(currentTarget.value)];
            }}
          >
            <option value="" disabled>
              Another column …
            </option>
            {closed.map(({ name, number }) => (
              <option key={number} value={number}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {columns
        .filter(({ form }) => form === "category")
        .slice(0, 8)
        .map(({ number, name }) => (
          <Values key={`${run.id} ${number}`} session={session} run={run} column={number} name={name} />
        ))}
      <Marks key={run.id} run={run} />
    </section>
  );
}

/** What can be done with the rows of the filter. */
function Chosen({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  const { filter } = view.value;
  const mask = run.mask.value;
  if (isAnyRow(filter)) return null;
  const beside = session.other.value;
  return (
    <div class="chosen-rows">
      <p aria-live="polite">
        {mask ? `${quantity(mask.count, "row")} chosen` : ""}
        {filter.lasso.length > 0 && ", by a line on the map"}
        {filter.others.length > 0 &&
          beside &&
          `, in ${filter.others.length > 1 ? "clusters" : "cluster"} ${list(filter.others.map(String))} of ${beside.description.value.name}`}
      </p>
      <p class="actions">
        <button type="button" onClick={() => look({ filter: anyRow })}>
          All rows
        </button>
        <CopyLink />
        <Download session={session} run={run} />
      </p>
      {mask && mask.count > 0 && mask.count <= mostMoved && <RowEdits session={session} run={run} rows={mask.rows()} />}
    </div>
  );
}

const nothing = { from: 0, to: 1, all: new Float64Array(1), meant: new Float64Array(1) };

/** What is typed is searched once one stops typing. */
function SearchBox() {
  const waiting = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined);
  return (
    <label class="search">
      <span class="unseen">Rows that contain</span>
      <input
        type="search"
        placeholder="Rows that contain …"
        maxLength={200}
        value={view.value.filter.text}
        onInput={({ currentTarget }) => {
          clearTimeout(waiting.value);
          const text = currentTarget.value;
          waiting.value = setTimeout(() => filterBy({ text }), 250);
        }}
      />
    </label>
  );
}

function ColumnBrush({ run, column }: { readonly run: OpenRun; readonly column: number }) {
  const known = run.columns.value.get(column);
  const mask = run.mask.value;
  const { name, form, isUsed } = run.description.value.columns[column]!;
  const histogram = known && histogramOf(known.values, mask && ((row) => mask.has(row)));
  if (!histogram) return <p class="soft">{name} …</p>;
  const { ranges } = view.value.filter;
  const range = ranges.find((one) => one.column === column);
  return (
    <Brush
      name={isUsed ? name : `${name} (not used)`}
      histogram={histogram}
      range={range && [range.from, range.to]}
      write={form === "date" ? dayText : number}
      onRange={(next) => {
        const rest = ranges.filter((one) => one.column !== column);
        filterBy({ ranges: next ? [...rest, { column, from: next[0], to: next[1] }] : rest });
      }}
    />
  );
}

interface CategoryGiven {
  readonly session: Session;
  readonly run: OpenRun;
  readonly column: number;
  readonly name: string;
}

/** The values of a category, the most frequent first, with how many of the meant rows have each. */
function Values({ session, run, column, name }: CategoryGiven) {
  const known = run.columns.value.get(column);
  const mask = run.mask.value;
  const chosen = view.value.filter.values;
  const isOn = (value: string): boolean => chosen.some((one) => one.column === column && one.value === value);
  return (
    <details
      class="values"
      open={chosen.some((one) => one.column === column)}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void session.attempt(() => run.column(column));
      }}
    >
      <summary>{name}</summary>
      {known?.names &&
        frequent(known.values, known.names, mask && ((row) => mask.has(row))).map(([value, count]) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={isOn(value)}
              onChange={() => {
                const rest = chosen.filter((one) => one.column !== column || one.value !== value);
                filterBy({ values: isOn(value) ? rest : [...rest, { column, value }] });
              }}
            />{" "}
            {value} <span class="soft">{thousands(count)}</span>
          </label>
        ))}
    </details>
  );
}

/** What people have marked rows as, with how many rows have each mark. */
function Marks({ run }: { readonly run: OpenRun }) {
  const chosen = view.value.filter.marks;
  const counts = new Map(chosen.map((mark) => [mark, 0]));
  for (const { mark } of run.curation.value?.marks ?? []) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  if (counts.size === 0) return null;
  return (
    <details class="values" open={chosen.length > 0}>
      <summary>marks</summary>
      {[...counts].map(([mark, count]) => (
        <label key={mark}>
          <input
            type="checkbox"
            checked={chosen.includes(mark)}
            onChange={() =>
              filterBy({ marks: chosen.includes(mark) ? chosen.filter((one) => one !== mark) : [...chosen, mark] })
            }
          />{" "}
          {mark} <span class="soft">{thousands(count)}</span>
        </label>
      ))}
    </details>
  );
}

function frequent(
  codes: ArrayLike<number>,
  names: readonly string[],
  isMeant: (row: number) => boolean = () => true,
): (readonly [string, number])[] {
  const [counts, meant] = [new Float64Array(names.length), new Float64Array(names.length)];
  for (let row = 0; row < codes.length; row++) {
    counts[codes[row]!]!++;
    if (isMeant(row)) meant[codes[row]!]!++;
  }
  return [...counts.keys()]
    .filter((code) => counts[code]! > 0)
    .sort((a, b) => counts[b]! - counts[a]!)
    .slice(0, 12)
    .map((code) => [names[code]!, meant[code]!] as const);
}

/** The link that brings this view back. Where a browser has no clipboard for it, such as over plain http, it is shown. */
function CopyLink() {
  const copied = useSignal(false);
  const isShown = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [isShown.value]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(linkToView());
      copied.value = true;
      setTimeout(() => (copied.value = false), 2000);
    } catch {
      isShown.value = true;
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {copied.value ? "Copied" : "Link"}
      </button>
      {isShown.value && (
        <input
          class="link"
          readOnly
          aria-label="The link to this view, to be copied"
          value={linkToView()}
          ref={field}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
    </>
  );
}

function Download({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  const save = (format: "csv" | "parquet"): void => {
    void session.attempt(async () => {
      const mask = run.mask.value;
      const filter = mask ? { filter: { mask: mask.base64() } } : {};
      keep(await run.source.file("selection", { path: { run: run.id }, body: { ...filter, format } }));
    });
  };
  return (
    <>
      <button type="button" onClick={() => save("csv")}>
        CSV
      </button>
      {run.source.kind === "server" && (
        <button type="button" onClick={() => save("parquet")}>
          Parquet
        </button>
      )}
    </>
  );
}
