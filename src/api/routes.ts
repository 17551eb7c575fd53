/**
 * Everything that can be asked of the server, as one table: the server answers by it, the page asks by it, and
 * OpenAPI is written from it.
 */

import * as v from "valibot";
import { curation, editPreview, editRequest } from "./curation.ts";
import {
  device,
  expectedTime,
  fit,
  fitRequest,
  frame,
  inspection,
  inspectRequest,
  method,
  serverEvent,
  source,
} from "./fits.ts";
import { dictionary, filter, selectionRequest, tablePage, tableRequest } from "./rows.ts";
import { between, clusterCard, comparison, explanation, runBrief, runDescription, sweep, wholeRow } from "./runs.ts";
import { count, countInText, flag, id, list, short, text } from "./values.ts";

/** Numbers one after the other, the lowest byte first; which kind is said in the header X-Telltale-Type. */
export type BinaryType = "uint8" | "uint16" | "uint32" | "float32" | "float64";

type AnswerKind =
  | { readonly kind: "json"; readonly schema: v.GenericSchema }
  | { readonly kind: "binary"; readonly about: string }
  | { readonly kind: "picture" }
  | { readonly kind: "file" }
  | { readonly kind: "events"; readonly schema: v.GenericSchema }
  | { readonly kind: "nothing" };

export interface Route {
  readonly method: "GET" | "POST";
  /** As OpenAPI writes it: /api/runs/{run}. */
  readonly path: string;
  /** One sentence. */
  readonly about: string;
  readonly query?: v.GenericSchema<unknown, object>;
  /** JSON, but for an upload. */
  readonly body?: v.GenericSchema | "bytes";
  readonly answer: AnswerKind;
}

const json = <const S extends v.GenericSchema>(schema: S) => ({ kind: "json", schema }) as const;
const binary = (about: string) => ({ kind: "binary", about }) as const;
const [picture, file, nothing] = [{ kind: "picture" }, { kind: "file" }, { kind: "nothing" }] as const;

/**
 * What stands in braces in a path. Rows and columns go by their place, everything else by an id that the server made.
 */
export const parameters = {
  run: id,
  fit: id,
  cluster: countInText,
  row: countInText,
  column: countInText,
  frame: countInText,
  what: v.picklist(["cluster", "second", "confidence", "margin", "distance", "outlier"]),
} as const;

const inRun = "/api/runs/{run}";
const inFit = "/api/fits/{fit}";
const two = v.object({ a: id, b: id });

// biome-ignore format: one entry, a few lines
export const routes = {
  session: { method: "POST", path: "/api/session", about: "Exchanges the token for a cookie; the only route that needs none.", body: v.object({ token: short(100) }), answer: nothing },
  server: { method: "GET", path: "/api/server", about: "What this server is and may do.", answer: json(v.object({ version: text, canFit: flag, device: text, folder: text })) },
  openapi: { method: "GET", path: "/api/openapi.json", about: "This description.", answer: json(v.looseObject({ openapi: text })) },
  events: { method: "GET", path: "/api/events", about: "What happens, as server-sent events; with Last-Event-ID those that were missed.", answer: { kind: "events", schema: serverEvent } },

  runs: { method: "GET", path: "/api/runs", about: "The runs that were given.", answer: json(list(runBrief)) },
  sweeps: { method: "GET", path: "/api/sweeps", about: "The sweeps that were given, and how far each is.", answer: json(list(sweep)) },
  run: { method: "GET", path: inRun, about: "A run: its rows' columns, its clusters, its scores.", answer: json(runDescription) },
  map: { method: "GET", path: `${inRun}/map`, about: "Where each row is on the map.", answer: binary("uint16, x and y of each row, from 0 to 65534 between the bounds of the map; 65535 twice for rows that are not on it") },
  placement: { method: "GET", path: `${inRun}/placements/{what}`, about: "What the placement of each row says.", answer: binary("uint32 of cluster and second, float32 of the others, one for each row") },
  column: { method: "GET", path: `${inRun}/columns/{column}`, about: "The values of a column, also of one that was not used to cluster.", answer: binary("float32 of numbers and float64 of dates (days since 1970), NaN where missing; uint32 codes of categories: 0 is missing, 1 the first of the dictionary") },
  dictionary: { method: "GET", path: `${inRun}/columns/{column}/dictionary`, about: "What the codes of a category stand for.", answer: json(dictionary) },
  cluster: { method: "GET", path: `${inRun}/clusters/{cluster}`, about: "What a cluster is.", answer: json(clusterCard) },
  exemplar: { method: "GET", path: `${inRun}/clusters/{cluster}/exemplar.png`, about: "The exemplar of a cluster as a picture.", answer: picture },
  between: { method: "GET", path: `${inRun}/between`, about: "The line between two centers, decoded.", query: v.object({ a: countInText, b: countInText, steps: v.exactOptional(v.pipe(countInText, v.minValue(2), v.maxValue(41))) }), answer: json(between) },
  row: { method: "GET", path: `${inRun}/rows/{row}`, about: "A row with all its values, texts in full.", answer: json(wholeRow) },
  picture: { method: "GET", path: `${inRun}/rows/{row}/picture.png`, about: "A row as a picture.", answer: picture },
  explanation: { method: "GET", path: `${inRun}/rows/{row}/explanation`, about: "Why a row is where it is and not elsewhere.", query: v.object({ against: v.exactOptional(countInText) }), answer: json(explanation) },
  table: { method: "POST", path: `${inRun}/table`, about: "A page of the table of rows.", body: tableRequest, answer: json(tablePage) },
  mask: { method: "POST", path: `${inRun}/mask`, about: "Which rows a filter has.", body: v.object({ filter }), answer: binary("uint8, a bit for each row, the lowest first") },
  selection: { method: "POST", path: `${inRun}/selection`, about: "The rows of a filter as a file.", body: selectionRequest, answer: file },
  model: { method: "GET", path: `${inRun}/model.onnx`, about: "The model as a file that runs anywhere, with what people have changed.", answer: file },
  runFrames: { method: "GET", path: `${inRun}/frames`, about: "The frames of the training that are kept.", answer: json(list(frame)) },
  runFrame: { method: "GET", path: `${inRun}/frames/{frame}`, about: "One of them, as of a fit.", answer: binary("uint16: x and y of each row, then the cluster of each") },
  runFrameExemplars: { method: "GET", path: `${inRun}/frames/{frame}/exemplars`, about: "What the clusters were then, where rows are pictures.", answer: binary("float32: a row in the data's own units for each cluster") },
  compare: { method: "GET", path: "/api/compare", about: "How two runs agree.", query: two, answer: json(comparison) },
  comparedRows: { method: "GET", path: "/api/compare/rows", about: "The cluster of each compared row in both runs.", query: two, answer: binary("uint32: the clusters in a, then those in b") },

  curation: { method: "GET", path: `${inRun}/curation`, about: "What people have changed.", answer: json(curation) },
  previewEdit: { method: "POST", path: `${inRun}/curation/preview`, about: "What an edit would do.", body: editRequest, answer: json(editPreview) },
  edit: { method: "POST", path: `${inRun}/curation`, about: "Changes the clusters.", body: editRequest, answer: json(curation) },
  undo: { method: "POST", path: `${inRun}/curation/undo`, about: "Takes the last edit back.", body: v.object({ version: count }), answer: json(curation) },
  redo: { method: "POST", path: `${inRun}/curation/redo`, about: "Does it again.", body: v.object({ version: count }), answer: json(curation) },

  devices: { method: "GET", path: "/api/devices", about: "What a fit may run on, the one that is usual first.", answer: json(list(device)) },
  methods: { method: "GET", path: "/api/methods", about: "The methods with their options, as they declare them.", answer: json(list(method)) },
  sources: { method: "GET", path: "/api/sources", about: "The data files that can be fitted.", answer: json(list(source)) },
  upload: { method: "POST", path: "/api/sources", about: "Takes a data file, whose bytes are the body.", query: v.object({ name: v.pipe(short(120), v.regex(/^[\p{L}\p{N}_][\p{L}\p{N} ._-]*$/u)) }), body: "bytes", answer: json(source) },
  inspect: { method: "POST", path: "/api/inspect", about: "What the columns of a data file are for, and why.", body: inspectRequest, answer: json(inspection) },
  fits: { method: "GET", path: "/api/fits", about: "The fits that were begun here.", answer: json(list(fit)) },
  estimate: { method: "POST", path: "/api/estimate", about: "How long a fit would take, about.", body: fitRequest, answer: json(expectedTime) },
  startFit: { method: "POST", path: "/api/fits", about: "Begins a fit, or queues it.", body: fitRequest, answer: json(fit) },
  fit: { method: "GET", path: inFit, about: "One of them.", answer: json(fit) },
  stopFit: { method: "POST", path: `${inFit}/stop`, about: "Stops a fit at the next safe moment; it can be resumed.", body: v.object({}), answer: json(fit) },
  resumeFit: { method: "POST", path: `${inFit}/resume`, about: "Goes on with one that was stopped.", body: v.object({}), answer: json(fit) },
  resumeRun: { method: "POST", path: `${inRun}/resume`, about: "Goes on with the training of a run that was stopped, however hard.", body: v.object({}), answer: json(fit) },
  frame: { method: "GET", path: `${inFit}/frames/{frame}`, about: "Where rows are at an epoch.", answer: binary("uint16: x and y of each row, from 0 to 65535 in a square that stays, then the cluster of each") },
  frameExemplars: { method: "GET", path: `${inFit}/frames/{frame}/exemplars`, about: "What the clusters are at an epoch.", answer: binary("float32: a row in the data's own units for each cluster") },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteName = keyof typeof routes;

/** What is wrong, in a sentence; the status tells whose it is. */
export const problem = v.object({ problem: text });

/** What a route answers, where that is JSON. */
export type Answer<N extends RouteName> = (typeof routes)[N]["answer"] extends {
  readonly kind: "json";
  readonly schema: infer S extends v.GenericSchema;
}
  ? v.InferOutput<S>
  : never;

/** What is sent to a route. */
export type Body<N extends RouteName> = (typeof routes)[N] extends { readonly body: infer S extends v.GenericSchema }
  ? v.InferOutput<S>
  : never;
