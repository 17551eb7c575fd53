/** What turns one cluster into another: the line between their centers, decoded; dragging a slider goes along it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { unbroken } from "../../report/parts/numbers.ts";
import type { OpenRun } from "../state/openRun.ts";
import { Badge } from "./Badge.tsx";
import { RowDrawing } from "./RowDrawing.tsx";
import { useAnswer } from "./useAnswer.ts";
import { nameOf } from "./words.ts";

const steps = 21;

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
            line.columns && (
              <dl>
                {line.columns.map(({ name, values }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{unbroken(values[step] ?? "")}</dd>
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
