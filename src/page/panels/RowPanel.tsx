/** Why a row is here and not there: parts that add up, its nearest rows, and what it would take to change. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Explanation } from "../../api/runs.ts";
import { number, percent, signed, unbroken } from "../../report/parts/numbers.ts";
import { RowEdits } from "../curation/RowEdits.tsx";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { look } from "../state/view.ts";
import { ClusterButton } from "./Badge.tsx";
import { Picture } from "./Picture.tsx";
import { RowDrawing } from "./RowDrawing.tsx";
import { useAnswer } from "./useAnswer.ts";
import { cellText, isToRead, nameOf, partText } from "./words.ts";

interface Given {
  readonly session: Session;
  readonly run: OpenRun;
  readonly row: number;
}

export function RowPanel({ session, run, row }: Given) {
  const against = useSignal<number | undefined>(undefined);
  useEffect(() => {
    against.value = undefined;
  }, [row]);
  const version = run.curation.value?.version ?? 0;
  const other = against.value;
  const path = { run: run.id, row };
  const whole = useAnswer((signal) => run.source.ask("row", { path, signal }), [run, row, version]);
  const explained = useAnswer(
    (signal) =>
      run.source.ask("explanation", { path, ...(other !== undefined && { query: { against: other } }), signal }),
    [run, row, other, version],
  );
  const { source } = run.description.value;
  const { value: explanation } = explained;
  const placed = whole.value?.placement;
  const own = run.clusterOf.value[row];
  return (
    <article class="panel" aria-label={`Row ${row}`} aria-busy={explained.isWaiting}>
      <header>
        <button type="button" class="back" onClick={() => look({ row: undefined }, true)}>
          ‹ Back
        </button>
        <h2>
          {explanation?.id ?? `Row ${row}`} {own !== undefined && <ClusterButton run={run} cluster={own} />}
        </h2>
        {placed && (
          <p class="soft">
            {percent(placed.confidence)} confident, else cluster {placed.second}; outlier {number(placed.outlier)}
          </p>
        )}
        {source.arePictures && source.isThere && (
          <Picture run={run} of={{ row }} alt={`Row ${row}`} kind="picture coarse large" />
        )}
      </header>
      {(whole.value?.values ?? [])
        .filter(({ value }) => isToRead(value))
        .map(({ column, value }) => (
          <section key={column}>
            <h3>{column}</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it */}
            <p class="text" tabIndex={0}>
              {cellText(value)}
            </p>
          </section>
        ))}
      {!source.isThere && <p class="note">{source.reason ?? "The rows of this run are not there."}</p>}
      <RowEdits session={session} run={run} rows={[row]} second={placed?.second} />
      {explained.isWaiting && !explanation && <p class="soft">Working out why …</p>}
      {explained.problem !== "" && <p class="note">{explained.problem}</p>}
      {explanation?.why && (
        <section>
          <h3>
            Why <ClusterButton run={run} cluster={explanation.why.own} /> and not{" "}
            <select
              aria-label="Not which cluster"
              value={explanation.why.other}
              onChange={({ currentTarget }) => (against.value = Number(currentTarget.value))}
            >
              {run.description.value.clusters
                .filter(({ cluster }) => cluster !== explanation.why?.own)
                .map((cluster) => (
                  <option key={cluster.cluster} value={cluster.cluster}>
                    {cluster.cluster}: {nameOf(cluster)}
                  </option>
                ))}
            </select>
          </h3>
          <p>{unbroken(explanation.words)}</p>
          <Parts explanation={explanation} run={run} />
        </section>
      )}
      {explanation && <Change run={run} explanation={explanation} />}
      {explanation && explanation.nearest.length > 0 && (
        <section>
          <h3>Nearest rows</h3>
          <NearRows run={run} rows={explanation.nearest} />
        </section>
      )}
      {whole.value && whole.value.values.length > 0 && !source.arePictures && (
        <section>
          <h3>All values</h3>
          <dl class="whole">
            {whole.value.values
              .filter(({ value }) => !isToRead(value))
              .map(({ column, value }) => (
                <div key={column}>
                  <dt>{column}</dt>
                  <dd>{cellText(value)}</dd>
                </div>
              ))}
          </dl>
        </section>
      )}
    </article>
  );
}

/** Start, parts and remainder: their sum is the margin. On a picture, where they are. */
function Parts({ explanation, run }: { readonly explanation: Explanation; readonly run: OpenRun }) {
  const { input, margin, other } = explanation.why!;
  const { source } = run.description.value;
  if (source.arePictures && input.parts.length === sizeOf(source.row)) {
    return (
      <figure class="why">
        <RowDrawing
          values={input.exemplar.length === input.parts.length ? input.exemplar : input.parts.map(() => 0)}
          shape={source.row}
          range={source.range}
          parts={input.parts}
          label="Where the row speaks for its cluster, blue, and against it, orange"
        />
        <figcaption class="soft">
          Over the exemplar of the other cluster: blue speaks for its own, orange against it. All parts add up to{" "}
          {signed(margin)}.
        </figcaption>
      </figure>
    );
  }
  const shown = [...input.features].sort((a, b) => Math.abs(b.part) - Math.abs(a.part)).slice(0, 10);
  const rest = margin - input.start - shown.reduce((sum, { part }) => sum + part, 0);
  const lines = [
    { name: `exemplar of ${other}, itself`, value: "", part: input.start },
    ...shown.map((each) => ({ name: each.name, part: each.part, value: partText(each) })),
    ...(Math.abs(rest) > 0.005 ? [{ name: "all others", value: "", part: rest }] : []),
  ];
  const most = Math.max(1e-12, ...lines.map(({ part }) => Math.abs(part)));
  return (
    <ul class="bars">
      {lines.map(({ name, value, part }) => (
        <li key={name}>
          <span class="name">
            {name} <span class="soft">{value}</span>
          </span>
          <span class="bar">
            <i
              class={part < 0 ? "low" : "high"}
              style={{ width: `${(50 * Math.abs(part)) / most}%`, [part < 0 ? "right" : "left"]: "50%" }}
            />
          </span>
          <span class="value">{signed(part)}</span>
        </li>
      ))}
      <li class="sum">
        <span class="name">together, the margin</span>
        <span class="bar" />
        <span class="value">{signed(margin)}</span>
      </li>
    </ul>
  );
}

function Change({ run, explanation }: { readonly run: OpenRun; readonly explanation: Explanation }) {
  const { why, change = [] } = explanation;
  if (!why) return null;
  const { source } = run.description.value;
  const { exemplar, exemplarFrom } = why.input;
  const other = <ClusterButton run={run} cluster={why.other} />;
  return (
    <section class="change">
      <h3>What it would take to change</h3>
      <ul class="near">
        {change.slice(0, 4).map(({ feature, name, from, to, cluster }) => (
          <li key={feature}>
            {name} {number(to)} instead of {number(from)}: then <ClusterButton run={run} cluster={cluster} />
          </li>
        ))}
      </ul>
      {change.length === 0 &&
        (source.arePictures && exemplar.length === sizeOf(source.row) ? (
          <figure class="why">
            <RowDrawing
              {...{ values: exemplar, shape: source.row, range: source.range }}
              label={`What stands for cluster ${why.other}`}
            />
            <figcaption class="soft">
              To be in {other} it would have to look more like this:{" "}
              {exemplarFrom === "decoder" ? "its center, decoded" : "the row that is nearest to its center"}.
            </figcaption>
          </figure>
        ) : explanation.change ? (
          <p>No number by itself: changed as far as the center of {other}, and as far again, none moves the row.</p>
        ) : (
          <>
            <p>
              Nothing that can be said of one column: the model reads the row as a whole. The nearest rows of {other},
              to compare it with:
            </p>
            <NearRows run={run} rows={why.near.other.slice(0, 4)} />
          </>
        ))}
    </section>
  );
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

function NearRows({ run, rows }: { readonly run: OpenRun; readonly rows: Explanation["nearest"] }) {
  const { source } = run.description.value;
  return (
    <ul class={source.arePictures && source.isThere ? "gallery" : "rows"}>
      {rows.slice(0, 8).map((near) => (
        <li key={near.row}>
          <button type="button" onClick={() => look({ row: near.row }, true)}>
            {source.arePictures && source.isThere ? (
              <Picture run={run} of={{ row: near.row }} alt={near.id ?? `row ${near.row}`} />
            ) : (
              <>
                <b>{near.id ?? `row ${near.row}`}</b> {near.text}
              </>
            )}{" "}
            <span class="soft">cluster {near.cluster}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
