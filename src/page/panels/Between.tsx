/** What turns one cluster into another: the line between their centers, decoded; dragging a slider goes along it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { number } from "../../report/parts/numbers.ts";
import type { OpenRun } from "../state/openRun.ts";
import { Badge } from "./Badge.tsx";
import { RowDrawing } from "./RowDrawing.tsx";
import { useAnswer } from "./useAnswer.ts";
import { nameOf } from "./words.ts";

const steps = 21;
/** Columns that are listed: those that change most. */
const listed = 6;

interface Given {
  readonly run: OpenRun;
  readonly cluster: number;
  /** Nearest first. */
  readonly others: readonly number[];
}

export function Between({ run, cluster, others }: Given) {
  const all = run.description.value.clusters.map((one) => one.cluster).filter((one) => one !== cluster);
  const choices = [...new Set([...others, ...all])];
  const other = useSignal(choices[0]);
  const at = useSignal(0);
  useEffect(() => {
    other.value = choices[0];
    at.value = 0;
  }, [cluster]);
  const to = other.value;
  const version = run.curation.value?.version ?? 0;
  const { value: line, problem } = useAnswer(
    async (signal) =>
      to === undefined
        ? undefined
        : run.source.ask("between", { path: { run: run.id }, query: { a: cluster, b: to, steps }, signal }),
    [run, cluster, to, version],
  );
  if (to === undefined) return null;
  const step = Math.min(at.value, (line?.rows.length ?? 1) - 1);
  const { source } = run.description.value;
  const row = line?.rows[step];
  const names = source.features;
  const isNamed = row !== undefined && names.length === row.length;
  return (
    <section class="between">
      <h3>
        From here to{" "}
        <select
          aria-label="To which cluster"
          value={to}
          onChange={({ currentTarget }) => (other.value = Number(currentTarget.value))}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}: {nameOf(run.clusters.value.get(choice)!)}
            </option>
          ))}
        </select>
      </h3>
      {problem !== "" && <p class="soft">{problem}</p>}
      {row && line && (
        <>
          <label class="slider">
            <Badge run={run} cluster={line.a} />
            <input
              type="range"
              min={0}
              max={line.rows.length - 1}
              value={step}
              aria-label={`From cluster ${line.a} to cluster ${line.b}`}
              onInput={({ currentTarget }) => (at.value = Number(currentTarget.value))}
            />
            <Badge run={run} cluster={line.b} />
          </label>
          <p class="soft">
            Here the model says <Badge run={run} cluster={line.clusters[step]!} />
          </p>
          {source.arePictures ? (
            <RowDrawing
              values={row}
              shape={source.row}
              range={source.range}
              label="What lies between the two centers"
            />
          ) : (
            isNamed && (
              <dl>
                {mostChanged(line.rows, names).map(([feature, name]) => (
                  <div key={feature}>
                    <dt>{name}</dt>
                    <dd>{number(row[feature]!)}</dd>
                  </div>
                ))}
              </dl>
            )
          )}
        </>
      )}
    </section>
  );
}

/** By how much of its own size each changes along the line. */
function mostChanged(rows: readonly (readonly number[])[], names: readonly string[]): (readonly [number, string])[] {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const change = (i: number): number =>
    Math.abs(last[i]! - first[i]!) / (Math.abs(last[i]!) + Math.abs(first[i]!) || 1);
  return names
    .map((name, i) => [i, name] as const)
    .sort(([a], [b]) => change(b) - change(a))
    .slice(0, listed);
}
