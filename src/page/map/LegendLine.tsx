/** What the colors of the map mean, where the numbers of the clusters do not say so. */

import { number } from "../../report/parts/numbers.ts";
import { dayText } from "../panels/words.ts";
import type { OpenRun } from "../state/openRun.ts";
import { filterBy, view } from "../state/view.ts";
import type { Legend } from "./pointColors.ts";

export function LegendLine({ run, legend }: { readonly run: OpenRun; readonly legend: Legend }) {
  if (legend.kind === "clusters") {
    const isOther = view.value.color === "run" && view.value.other !== "";
    return (
      <span class="legend">
        Each color is a cluster{isOther && " of the other run; one that matches has the color that it has here"}.
      </span>
    );
  }
  if (legend.kind === "ramp") {
    const write = legend.isDate ? dayText : number;
    return (
      <span class="legend">
        {legend.name}: {write(legend.from)} <i class="ramp" /> {write(legend.to)}
      </span>
    );
  }
  const [, column] = /^column:(\d+)$/.exec(view.value.color) ?? [];
  const chosen = view.value.filter.values;
  const isOn = (value: string): boolean => chosen.some((one) => one.column === Number(column) && one.value === value);
  return (
    <span class="legend values">
      {legend.name}:
      {legend.values.map((value, i) => (
        <button
          type="button"
          key={value}
          aria-pressed={isOn(value)}
          onClick={() => {
            const rest = chosen.filter((one) => one.column !== Number(column) || one.value !== value);
            filterBy({ values: isOn(value) ? rest : [...rest, { column: Number(column), value }] });
            void run.column(Number(column));
          }}
        >
          <i class="dot" style={{ background: `var(--c${i})` }} /> {value}
        </button>
      ))}
    </span>
  );
}
