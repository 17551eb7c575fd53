/** What is answered about data files, methods and fits. */

import type { SomeHandlers } from "../../api/handlers.ts";
import { deviceOf, framed, frameOf } from "../../api/told.ts";
import {
  defaultMethod,
  describedMethods,
  devices,
  expectedFit,
  findDevice,
  framesIn,
  inspectRows,
  listDevices,
  methodOf,
  previewRows,
  resolveOptions,
  sharedOptions,
} from "../../doors/inside.ts";
import type { FitQueue } from "../fits/fitQueue.ts";
import { notFound, Refused } from "../refused.ts";
import type { RunShelf } from "../runShelf.ts";
import type { Sources } from "../sources.ts";

/** Rows that are shown of a file. */
const previewed = 20;
/** Looks at files that are remembered. */
const mostLooks = 32;

type Answered =
  | "devices"
  | "methods"
  | "sources"
  | "upload"
  | "inspect"
  | "fits"
  | "startFit"
  | "estimate"
  | "fit"
  | "stopFit"
  | "resumeFit"
  | "resumeRun"
  | "frame"
  | "frameExemplars"
  | "runFrames"
  | "runFrame"
  | "runFrameExemplars";

export function fitAnswers({
  shelf,
  sources,
  fits,
}: {
  readonly shelf: RunShelf;
  readonly sources: Sources;
  readonly fits: FitQueue;
}): SomeHandlers<Answered> {
  /** What was found of files: a fit that is thought about asks again and again. */
  const looks = new Map<string, ReturnType<typeof inspectRows>>();
  const keyOf = (source: string, rows: object): string => `${source} ${JSON.stringify(rows)}`;
  const look = (id: string, rows: Parameters<typeof inspectRows>[1] & object) => {
    const key = keyOf(id, rows);
    const looked = inspectRows(sources.get(id).path, rows);
    looks.delete(key);
    looks.set(key, looked);
    looked.catch(() => looks.delete(key));
    for (const oldest of [...looks.keys()].slice(0, -mostLooks)) looks.delete(oldest);
    return looked;
  };
  const keptFrame = async (run: string, frame: number) => {
    const found = (await framesIn((await shelf.get(run)).run.folder))[frame];
    if (!found) throw notFound("such frame");
    return found;
  };
  return {
    devices: async () => (await listDevices(devices)).map(deviceOf),
    methods: async () => describedMethods(),

    sources: async () => sources.list(),
    upload: ({ query: { name }, body }) => sources.take(name, body),

    async inspect({ body: { source: id, rows = {} } }) {
      const { path, name } = sources.get(id);
      const { rows: count, description, columns } = await look(id, rows);
      const preview = await previewRows(path, previewed, rows);
      return {
        ...{ source: id, name, rows: count, description },
        columns: columns.map((column) => structuredClone(column)) as never,
        preview: { columns: [...preview.columns], rows: preview.rows.map((row) => [...row]) },
      };
    },

    async estimate({ body: { source, rows = {}, clusters, ...rest } }) {
      const { rows: count, row } = await (looks.get(keyOf(source, rows)) ?? look(source, rows));
      const range = Array.isArray(clusters) ? ([...clusters] as [number, number]) : clusters;
      const said = { ...rest, ...(range !== undefined && { clusters: range }) };
      const { parts, ...times } = expectedFit({ count, row }, said, (await findDevice(devices, rest.device)).name);
      return { ...times, parts: [...parts] };
    },

    fits: async () => fits.list(),
    fit: async ({ in: { fit } }) => fits.get(fit),
    async startFit({ body }) {
      const source = sources.get(body.source);
      const method = methodOf(body.method ?? defaultMethod);
      resolveOptions(method.name, { ...sharedOptions, ...method.options }, body.options ?? {});
      if (Array.isArray(body.clusters) && body.clusters[0] > body.clusters[1])
        throw new Refused(400, "clusters must be a range, the smaller number first");
      return fits.start(source, body);
    },
    stopFit: ({ in: { fit } }) => fits.stop(fit),
    resumeFit: ({ in: { fit } }) => fits.resume(fit),
    resumeRun: async ({ in: { run } }) => fits.resumeRun(await shelf.pathOf(run)),

    frame: async ({ in: { fit, frame } }) => framed(fits.frame(fit, frame)),
    async frameExemplars({ in: { fit, frame } }) {
      const { exemplars } = fits.frame(fit, frame);
      if (!exemplars) throw notFound("exemplar in this frame");
      return { numbers: exemplars };
    },

    async runFrames({ in: { run } }) {
      const kept = await framesIn((await shelf.get(run)).run.folder);
      return kept.map((frame, at) =>
        frameOf({ ...frame, clusters: frame.labels.reduce((most, label) => Math.max(most, label + 1), 0) }, at),
      );
    },
    async runFrame({ in: { run, frame } }) {
      return framed(await keptFrame(run, frame));
    },
    async runFrameExemplars({ in: { run, frame } }) {
      const { exemplars } = await keptFrame(run, frame);
      if (!exemplars) throw notFound("exemplar in this frame");
      return { numbers: exemplars };
    },
  };
}
