/** What a cluster is: its exemplar, what distinguishes it, its rows, and whom it is confused with. */

import type { ClusterCard } from "../../api/runs.ts";
import { number, percent, quantity, unbroken } from "../../report/parts/numbers.ts";
import { ClusterEdits } from "../curation/ClusterEdits.tsx";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { filterBy, look } from "../state/view.ts";
import { Badge, ClusterButton } from "./Badge.tsx";
import { Between } from "./Between.tsx";
import { Gallery } from "./Gallery.tsx";
import { Picture } from "./Picture.tsx";
import { RowPictures } from "./RowPictures.tsx";
import { useAnswer } from "./useAnswer.ts";
import { nameOf } from "./words.ts";

interface Given {
  readonly session: Session;
  readonly run: OpenRun;
  readonly cluster: number;
}

export function ClusterPanel({ session, run, cluster }: Given) {
  const version = run.curation.value?.version ?? 0;
  const path = { run: run.id, cluster };
  const { value: card, problem } = useAnswer(
    (signal) => run.source.ask("cluster", { path, signal }),
    [run, cluster, version],
  );
  const brief = run.clusters.value.get(cluster);
  if (problem) return <Closed words={problem} />;
  if (!brief) return <Closed words={`There is no cluster ${cluster} any more.`} />;
  if (card?.cluster !== cluster) return <p class="soft">Cluster {cluster} …</p>;
  const { source } = run.description.value;
  return (
    <article class="panel" aria-label={`Cluster ${cluster}`}>
      <header>
        <button type="button" class="back" onClick={() => look({ cluster: undefined }, true)}>
          ‹ All clusters
        </button>
        <h2>
          <Badge run={run} cluster={cluster} /> {nameOf(brief)}
        </h2>
        <p class="soft">
          {quantity(card.size, "row")}, {percent(card.share)}; {percent(card.confidence.mean)} confident on average
          {card.namedBy !== undefined && `; named by ${card.namedBy}`}
        </p>
        {source.arePictures && (
          <figure class="exemplar">
            <Picture run={run} of={{ cluster }} alt={`The exemplar of cluster ${cluster}`} />
            <figcaption class="soft">
              {card.exemplarFrom === "decoder" ? "its center, decoded" : "the row that is nearest to its center"}
            </figcaption>
          </figure>
        )}
        <button type="button" onClick={() => filterBy({ clusters: [cluster] })}>
          Only these rows
        </button>
      </header>
      <ClusterEdits session={session} run={run} cluster={cluster} near={card.neighbours.map((one) => one.cluster)} />
      {/* Where words name it, numbers of an embedding tell less than they do. */}
      {card.namedBy !== undefined && <BesideColumns card={card} />}
      {!source.arePictures && <Distinguishing card={card} />}
      <RowPictures run={run} title="Typical rows" rows={card.typical} />
      <RowPictures run={run} title="In doubt" rows={card.borderline} second />
      {source.arePictures && source.isThere && <Gallery run={run} cluster={cluster} />}
      <Confused run={run} card={card} />
      <Between run={run} cluster={cluster} others={card.neighbours.map((one) => one.cluster)} />
      {card.namedBy === undefined && <BesideColumns card={card} />}
    </article>
  );
}

function Closed({ words }: { readonly words: string }) {
  return (
    <p class="panel">
      {words}{" "}
      <button type="button" onClick={() => look({ cluster: undefined, row: undefined }, true)}>
        All clusters
      </button>
    </p>
  );
}

/** Columns by how far its rows are from the others. */
function Distinguishing({ card }: { readonly card: ClusterCard }) {
  const most = Math.max(1, ...card.distinguishing.map(({ effect }) => Math.abs(effect)));
  const named = card.distinguishing.filter(({ name }) => name !== "").slice(0, 8);
  if (named.length === 0) return null;
  return (
    <section>
      <h3>What distinguishes it</h3>
      <ul class="bars">
        {named.map(({ feature, name, here, there, effect, said }) => (
          <li key={feature}>
            <span class="name">{name}</span>
            <span class="bar">
              <i
                class={effect < 0 ? "low" : "high"}
                style={{ width: `${(50 * Math.abs(effect)) / most}%`, [effect < 0 ? "right" : "left"]: "50%" }}
              />
            </span>
            <span class="value" title={`elsewhere ${said?.[1] ?? number(there)}`}>
              {unbroken(said?.[0] ?? number(here))} <span class="soft">/ {unbroken(said?.[1] ?? number(there))}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="soft hint">Its mean / that of the other rows; the bar is the difference in standard deviations.</p>
    </section>
  );
}

function Confused({ run, card }: { readonly run: OpenRun; readonly card: ClusterCard }) {
  const near = card.neighbours.filter(({ share }) => share > 0).slice(0, 4);
  if (near.length === 0) return null;
  return (
    <section>
      <h3>Where its rows would go next</h3>
      <ul class="near">
        {near.map(({ cluster, share }) => (
          <li key={cluster}>
            <ClusterButton run={run} cluster={cluster} /> {percent(share)}{" "}
            <span class="soft">{run.clusters.value.get(cluster)?.name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What columns say that were not used to cluster. */
function BesideColumns({ card }: { readonly card: ClusterCard }) {
  if (!card.beside || card.beside.length === 0) return null;
  return (
    <section>
      <h3>Beside the clustering</h3>
      <dl>
        {card.beside.slice(0, 6).map((one) => (
          <div key={one.column}>
            <dt>{one.column}</dt>
            <dd>{besideText(one)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function besideText(one: NonNullable<ClusterCard["beside"]>[number]): string {
  if (one.kind === "number")
    return `${number(one.here)}${one.there === undefined ? "" : ` (elsewhere ${number(one.there)})`}`;
  if (one.kind === "date") return `${one.from} to ${one.to}`;
  if (one.kind === "category")
    return one.values
      .slice(0, 3)
      .map(({ value, here }) => `${value} ${percent(here)}`)
      .join(", ");
  return one.words
    .slice(0, 6)
    .map(({ word }) => word)
    .join(", ");
}
