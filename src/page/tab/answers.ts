/** Everything that a tab answers, by the same table of routes as the server. */

import type { ServerEvent } from "../../api/fits.ts";
import type { SomeHandlers } from "../../api/handlers.ts";
import type { RouteName } from "../../api/routes.ts";
import { deviceOf, framed, frameOf } from "../../api/told.ts";
import { describedMethods, devices, findDevice, listDevices, webGpu } from "../../doors/tab.ts";
import { Refusal } from "../source/source.ts";
import type { Dropped } from "./tabFile.ts";
import { TabFits } from "./tabFits.ts";
import { inspectTab, openTabRows } from "./tabRows.ts";
import { TabRun } from "./tabRun.ts";

declare const telltaleVersion: string;

/** What needs a server. */
type Elsewhere =
  | "session"
  | "estimate"
  | "openapi"
  | "events"
  | "upload"
  | "resumeRun"
  | "sweeps"
  | "compare"
  | "comparedRows"
  | "curation"
  | "previewEdit"
  | "edit"
  | "undo"
  | "redo";

export type TabRoute = Exclude<RouteName, Elsewhere>;
export type TabHandlers = SomeHandlers<TabRoute>;

/** `drop` takes what somebody has dropped; the rest answers as the server does. */
export function tabAnswers(
  tell: (event: ServerEvent) => void,
): TabHandlers & { drop(files: readonly File[]): Dropped } {
  const dropped = new Map<string, Dropped>();
  const runs = new Map<string, TabRun>();
  const fits = new TabFits({
    tell,
    async keep({ name }, from, request, made, frames) {
      const id = `run-${runs.size + 1}`;
      const rows = await openTabRows(from, request.rows ?? {});
      runs.set(id, new TabRun({ id, name, source: from.name }, made, rows, frames));
      return id;
    },
  });
  const runOf = (id: string): TabRun => runs.get(id) ?? missing("run");
  const sourceOf = (id: string): Dropped => dropped.get(id) ?? missing("data file");
  const columnOf = (run: string, column: number) => {
    const { table } = runOf(run);
    return { table, column: table.columns[column] ?? missing("column") };
  };
  return {
    drop(files) {
      const name = files.length === 1 ? files[0]!.name : `${files.length} pictures`;
      const taken = { id: `data-${dropped.size + 1}`, name, files };
      dropped.set(taken.id, taken);
      return taken;
    },

    server: async () => ({
      ...{ version: telltaleVersion, canFit: true, folder: "" },
      device: (await findDevice(devices)).description,
    }),
    devices: async () => (await listDevices([...devices, webGpu])).map(deviceOf),
    methods: async () => describedMethods(),
    sources: async () => [...dropped.values()].map(({ id, name }) => ({ id, name, kind: "upload" as const })),
    async inspect({ body: { source, rows = {} } }) {
      const from = sourceOf(source);
      const { columns, ...found } = await inspectTab(from, rows);
      return { source, name: from.name, ...found, columns: structuredClone(columns) as never };
    },
    fits: async () => fits.list(),
    fit: async ({ in: { fit } }) => fits.get(fit),
    startFit: async ({ body }) => fits.start(sourceOf(body.source), body),
    stopFit: async ({ in: { fit } }) => fits.stop(fit),
    resumeFit: async ({ in: { fit } }) => fits.resume(fit),
    frame: async ({ in: { fit, frame } }) => framed(fits.frame(fit, frame)),
    async frameExemplars({ in: { fit, frame } }) {
      return { numbers: fits.frame(fit, frame).exemplars ?? missing("exemplar in this frame") };
    },

    runs: async () => [...runs.values()].reverse().map((run) => run.brief()),
    run: async ({ in: { run } }) => runOf(run).describe(telltaleVersion),
    map: async ({ in: { run } }) => ({ numbers: runOf(run).places }),
    placement: async ({ in: { run, what } }) => ({ numbers: runOf(run).table.placement(what) }),
    cluster: async ({ in: { run, cluster } }) => runOf(run).cluster(cluster),
    exemplar: async ({ in: { run, cluster } }) => runOf(run).exemplar(cluster),
    between: ({ in: { run }, query: { a, b, steps = 11 } }) => runOf(run).between(a, b, steps),
    runFrames: async ({ in: { run } }) => runOf(run).frames.map((frame, place) => frameOf(frame, place)),
    runFrame: async ({ in: { run, frame } }) => framed(runOf(run).frames[frame] ?? missing("frame")),
    async runFrameExemplars({ in: { run, frame } }) {
      return { numbers: runOf(run).frames[frame]?.exemplars ?? missing("exemplar in this frame") };
    },
    async model({ in: { run } }) {
      return { bytes: await runOf(run).onnx(), type: "application/octet-stream", name: "model.onnx" };
    },

    async column({ in: { run, column: place } }) {
      const { table, column } = columnOf(run, place);
      if (column.form === "none") throw new Refusal(`the texts of ${column.name} hardly repeat`, 409);
      return { numbers: column.form === "category" ? table.codes(place).codes : table.numbers(place) };
    },
    async dictionary({ in: { run, column: place } }) {
      const { table, column } = columnOf(run, place);
      const { values, hasOther } = table.codes(place);
      return { column: column.name, values, hasOther };
    },
    async row({ in: { run, row } }) {
      const { table } = runOf(run);
      if (row >= table.rows) missing("row");
      const { number, cells, ...placement } = table.row(row);
      return {
        row,
        number,
        placement,
        values: table.columns.map(({ name }, at) => ({ column: name, value: cells[at]! })),
      };
    },
    picture: async ({ in: { run, row } }) => runOf(run).picture(row),
    explanation: ({ in: { run, row }, query: { against } }) => runOf(run).explain(row, against),
    table: async ({ in: { run }, body }) => runOf(run).table.page(body),
    mask: async ({ in: { run }, body: { filter } }) => ({ numbers: runOf(run).table.mask(filter) }),
    async selection({ in: { run }, body }) {
      const { table, name } = runOf(run);
      if (body.format !== "csv") throw new Refusal("a tab writes CSV; telltale view writes Parquet", 409);
      return { bytes: new TextEncoder().encode(table.csv(body)), type: "text/csv", name: `${name}-rows.csv` };
    },
  };
}

function missing(what: string): never {
  throw new Refusal(`there is no such ${what}`, 404);
}
