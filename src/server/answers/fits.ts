/** What is answered about data files, methods and fits. */

import type { Option as ApiOption } from "../../api/fits.ts";
import {
  allowed,
  defaultMethod,
  framesIn,
  inspectRows,
  type Method,
  methodOf,
  methods,
  type Option,
  previewRows,
  resolveOptions,
  sharedOptions,
} from "../../doors/inside.ts";
import type { FitQueue } from "../fits/fitQueue.ts";
import type { SentFrame } from "../fits/messages.ts";
import { notFound, Refused } from "../refused.ts";
import type { Binary, SomeHandlers } from "../replies.ts";
import type { RunShelf } from "../runShelf.ts";
import type { Sources } from "../sources.ts";

/** Rows that are shown of a file. */
const previewed = 20;

type Answered =
  | "methods"
  | "sources"
  | "upload"
  | "inspect"
  | "fits"
  | "startFit"
  | "fit"
  | "stopFit"
  | "resumeFit"
  | "resumeRun"
  | "frame"
  | "frameExemplars"
  | "runFrames"
  | "runFrame";

export function fitAnswers({
  shelf,
  sources,
  fits,
}: {
  readonly shelf: RunShelf;
  readonly sources: Sources;
  readonly fits: FitQueue;
}): SomeHandlers<Answered> {
  return {
    methods: async () => Object.values<Method>(methods).map(described),

    sources: async () => sources.list(),
    upload: ({ query: { name }, body }) => sources.take(name, body),

    async inspect({ body: { source: id, rows = {} } }) {
      const { path, name } = sources.get(id);
      const { rows: count, description, columns } = await inspectRows(path, rows);
      const preview = await previewRows(path, previewed, rows);
      return {
        ...{ source: id, name, rows: count, description },
        columns: columns.map((column) => structuredClone(column)) as never,
        preview: { columns: [...preview.columns], rows: preview.rows.map((row) => [...row]) },
      };
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
      return kept.map(({ restart, phase, epoch, labels }, frame) => ({
        ...{ frame, restart, phase, epoch, rows: labels.length, hasExemplars: false },
        clusters: labels.reduce((most, label) => Math.max(most, label + 1), 0),
      }));
    },
    async runFrame({ in: { run, frame } }) {
      const found = (await framesIn((await shelf.get(run)).run.folder))[frame];
      if (!found) throw notFound("such frame");
      return framed(found);
    },
  };
}

/** Places, then clusters. */
function framed({ places, labels }: Pick<SentFrame, "places" | "labels">): Binary {
  const numbers = new Uint16Array(places.length + labels.length);
  numbers.set(places);
  numbers.set(labels, places.length);
  return { numbers };
}

function described(method: Method) {
  const { name, about, paper, options, profiles } = method;
  const listed = (table: Readonly<Record<string, Option>>): ApiOption[] =>
    Object.entries(table).map(([option, declared]) => {
      const by = (profile: "practical" | "paper") =>
        (profiles[profile] as Readonly<Record<string, unknown>>)[option] ?? declared.fallback;
      const { kind, about, fallback } = declared;
      return {
        ...{
          name: option,
          kind,
          about,
          fallback,
          allowed: allowed(declared),
          practical: by("practical"),
          paper: by("paper"),
        },
        ...("from" in declared && { from: declared.from, to: Number.isFinite(declared.to) ? declared.to : null }),
        ...("choices" in declared && { choices: [...declared.choices] }),
      } as ApiOption;
    });
  return {
    name,
    about,
    paper,
    isDefault: name === defaultMethod,
    options: listed(options),
    shared: listed(sharedOptions),
  };
}
