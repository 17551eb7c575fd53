/** Two runs side by side: which clusters match, where rows went, how far they agree. */

import { percent, quantity, thousands } from "../../report/parts/numbers.ts";
import { Badge, ClusterButton } from "../panels/Badge.tsx";
import { useAnswer } from "../panels/useAnswer.ts";
import { nameOf } from "../panels/words.ts";
import { anyRow } from "../state/address.ts";
import type { OpenRun } from "../state/openRun.ts";
import type { Session } from "../state/session.ts";
import { look, view } from "../state/view.ts";
import { matchedColors } from "./matchedColors.ts";
import { Sankey, type Side } from "./Sankey.tsx";

export function CompareView({ session, run }: { readonly session: Session; readonly run: OpenRun }) {
  const others = (session.runs.value ?? []).filter(({ id, state }) => id !== run.id && state === "done");
  const { other } = view.value;
  const beside = session.other.value;
  const { value: compared, problem } = useAnswer(
    async (signal) =>
      beside?.id === other ? run.source.ask("compare", { query: { a: run.id, b: other }, signal }) : undefined,
    [run, other, beside, run.clusterOf.value, beside?.clusterOf.value],
  );
  const isThere = compared && beside && beside.id === compared.b;
  const colors = isThere
    ? matchedColors(
        run.colors.value,
        compared.matched,
        beside.description.value.clusters.map(({ cluster }) => cluster),
      )
    : new Map<number, number>();
  return (
    <section class="compare" aria-label="Two runs">
      <p>
        <label>
          {run.description.value.name} beside{" "}
          <select value={other} onChange={({ currentTarget }) => look({ other: currentTarget.value }, true)}>
            <option value="" disabled>
              another run …
            </option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
      {others.length === 0 && <p class="soft">There is no other finished run: `telltale view A B` opens two.</p>}
      {problem !== "" && <p class="note">{problem}</p>}
      {isThere && (
        <>
          <p>
            {quantity(compared.rows, "row")} in both. {percent(compared.agreement.accuracy, 1)} are in clusters that
            match; NMI {compared.agreement.nmi.toFixed(3)}, ARI {compared.agreement.ari.toFixed(3)}, AMI{" "}
            {compared.agreement.ami.toFixed(3)}.
          </p>
          <Sankey
            flows={compared.flows}
            left={sideOf(run, run.colors.value)}
            right={inOrder(sideOf(beside, colors), compared.matched)}
            onFlow={(a, b) =>
              look({ page: "map", color: "run", filter: { ...anyRow, clusters: [a], others: [b] } }, true)
            }
          />
          <div class="two">
            <section>
              <h2>Matched clusters</h2>
              <table>
                <thead>
                  <tr>
                    <th scope="col" class="words">
                      here
                    </th>
                    <th scope="col" class="words">
                      there
                    </th>
                    <th scope="col">rows in both</th>
                  </tr>
                </thead>
                <tbody>
                  {compared.matched.map(({ a, b, aName, bName, rows, share }) => (
                    <tr key={a}>
                      <td class="words">
                        <ClusterButton run={run} cluster={a} /> {aName}
                      </td>
                      <td class="words">
                        <Badge run={beside} cluster={b} color={colors.get(b)} /> {bName}
                      </td>
                      <td>
                        {thousands(rows)} <span class="soft">{percent(share)}</span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {[...compared.unmatched.a, ...compared.unmatched.b].length > 0 && (
                <p class="soft">
                  Without a match:{" "}
                  {compared.unmatched.a.map(({ name, cluster }) => nameOf({ cluster, name })).join(", ") || "none"}{" "}
                  here,{" "}
                  {compared.unmatched.b.map(({ name, cluster }) => nameOf({ cluster, name })).join(", ") || "none"}{" "}
                  there.
                </p>
              )}
            </section>
            <section>
              <h2>{quantity(compared.moved, "row")} moved</h2>
              <ul class="rows">
                {compared.movedRows.slice(0, 40).map(({ row, id, from, to }) => (
                  <li key={row}>
                    <button type="button" onClick={() => look({ page: "map", row, color: "run" }, true)}>
                      <b>{id ?? `row ${row}`}</b> from <Badge run={run} cluster={from} /> here to{" "}
                      <Badge run={beside} cluster={to} color={colors.get(to)} /> there
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          </div>
        </>
      )}
    </section>
  );
}

/** Each beside the one that it matches, those without a match last: fewer flows cross. */
function inOrder(side: Side, matched: readonly { readonly a: number; readonly b: number }[]): Side {
  const places = new Map([...matched].sort((one, other) => one.a - other.a).map(({ b }, place) => [b, place]));
  const placeOf = (cluster: number): number => places.get(cluster) ?? matched.length + cluster;
  return { ...side, clusters: [...side.clusters].sort((p, q) => placeOf(p.cluster) - placeOf(q.cluster)) };
}

function sideOf(run: OpenRun, colors: ReadonlyMap<number, number>): Side {
  const { name, clusters } = run.description.value;
  return {
    name,
    clusters: clusters.map((one) => ({
      cluster: one.cluster,
      name: nameOf(one),
      color: colors.get(one.cluster) ?? 0,
    })),
  };
}
