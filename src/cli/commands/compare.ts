/** telltale compare: how two runs agree about the same rows. */

import type { Command } from "commander";
import { type Comparison, compareRuns, type DeviceName, openRun } from "../../doors/inside.ts";
import { percent } from "../../text/shares.ts";
import { terminalText } from "../../text/terminalText.ts";
import { thousands } from "../../text/thousands.ts";
import {
  deviceOption,
  laterRowOptions,
  originalOption,
  type RowValues,
  rowsFrom,
  storedSqlOption,
  withRows,
} from "../rows.ts";
import { counted, table } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, wholeNumber } from "../values.ts";

interface Options extends CommonOptions, RowValues {
  readonly source?: string;
  readonly moved: number;
  readonly device?: DeviceName;
  readonly original?: boolean;
}

export function define(command: Command, around: Surroundings): void {
  command.argument("<a>", "a run folder").argument("<b>", "another");
  withRows(command, laterRowOptions)
    .addOption(storedSqlOption())
    .option("--source <file>", "other rows to compare them on, and not those they were fitted to")
    .addOption(deviceOption())
    .addOption(originalOption());
  withCommonOptions(
    command.optionsGroup("Output:").option("--moved <n>", "how many rows that moved to show", wholeNumber(), 10),
    "telltale compare runs/sensors runs/sensors-8",
  );
  command.action(async (a: string, b: string, options: Options) => {
    const { source, device, moved, original } = options;
    const talk = new Talk(around, options);
    const [one, other] = [await openRun(a, given({ original })), await openRun(b, given({ original }))];
    const comparison = await compareRuns(one, other, {
      ...given({ source, device }),
      ...rowsFrom(options),
      signal: around.signal,
    });
    talk.result(comparison, () => compared(comparison, moved, talk.width));
  });
}

const right = "right" as const;

function compared({ rows, agreement, matched, unmatched, moved, movedRows }: Comparison, most: number, width: number) {
  const scores = Object.entries(agreement).map(([name, value]) => `${name} ${value.toFixed(4)}`);
  const lonely = [
    ...unmatched.a.map((cluster) => ["A", cluster] as const),
    ...unmatched.b.map((c) => ["B", c] as const),
  ];
  const shown = movedRows.slice(0, most);
  return [
    `${counted(rows, "row")} in both: ${scores.join(", ")}`,
    "",
    table(
      [...["A", "B", "rows", "share"].map((title) => ({ title, align: right })), { title: "name in A | name in B" }],
      matched.map(({ a, b, rows, share, aName, bName }) => [
        ...[String(a), String(b), thousands(rows), percent(share, 1)],
        aName === bName ? aName : `${aName} | ${bName}`,
      ]),
      width,
    ),
    ...lonely.map(([run, { cluster, name, rows }]) =>
      terminalText(`only in ${run}: ${cluster} (${name}), ${counted(rows, "row")}`),
    ),
    "",
    `${counted(moved, "row")} moved to a cluster that does not match (${percent(moved / Math.max(1, rows), 1)})${shown.length > 0 ? ":" : ""}`,
    ...(shown.length > 0 ? [movedTable(shown, width)] : []),
  ].join("\n");
}

function movedTable(rows: Comparison["movedRows"], width: number): string {
  const columns = ["row", "in A", "in B"].map((title) => ({ title, align: right }));
  const lines = rows.map(({ row, from, to, id }) => [String(row), String(from), String(to), id ?? ""]);
  return table([...columns, { title: rows.some(({ id }) => id !== undefined) ? "id" : "" }], lines, width);
}
