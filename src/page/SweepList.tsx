/** The sweeps that were given: how far each is, what has failed, and which of its runs to use. */

import type { Sweep } from "../api/runs.ts";
import { quantity, thousands } from "../report/parts/numbers.ts";
import type { Session } from "./state/session.ts";
import { lookAt } from "./state/view.ts";

export function SweepList({ session }: { readonly session: Session }) {
  return session.sweeps.value.map((sweep) => <SweepCard key={sweep.id} sweep={sweep} />);
}

function SweepCard({ sweep }: { readonly sweep: Sweep }) {
  const { name, jobs, done, waiting, underWay, failed, best, problem } = sweep;
  const counts = [
    `${thousands(done)} of ${quantity(jobs, "job")} done`,
    ...(underWay.count > 0 ? [`${thousands(underWay.count)} under way`] : []),
    ...(waiting > 0 ? [`${thousands(waiting)} waiting`] : []),
    ...(failed.count > 0 ? [`${thousands(failed.count)} failed`] : []),
  ];
  return (
    <article class="sweep" aria-label={`Sweep ${name}`}>
      <h3>
        {name} <span class="soft">sweep</span>
      </h3>
      {problem !== undefined && <p class="note">{problem}</p>}
      {jobs > 0 && (
        <>
          <p aria-live="polite">{counts.join(", ")}</p>
          <progress max={jobs} value={done} aria-label="Jobs that are done" />
        </>
      )}
      {best && (
        <p>
          Recommended:{" "}
          <button type="button" class="strong" onClick={() => lookAt(best.run)}>
            {best.name}
          </button>{" "}
          <span class="soft">{quantity(best.clusters, "cluster")}</span>
        </p>
      )}
      <ul>
        <Jobs state="running" words="under way" some={underWay} />
        <Jobs state="failed" words="failed" some={failed} />
      </ul>
    </article>
  );
}

interface JobsProps {
  readonly state: string;
  readonly words: string;
  readonly some: Sweep["failed"];
}

function Jobs({ state, words: title, some: { count, jobs } }: JobsProps) {
  return (
    <>
      {jobs.map(({ job, words, host }) => (
        <li key={job}>
          <span class={`state ${state}`}>{title}</span> <b>{job}</b> {words} <span class="soft">on {host}</span>
        </li>
      ))}
      {count > jobs.length && (
        <li class="soft">
          and {thousands(count - jobs.length)} more {title}
        </li>
      )}
    </>
  );
}
