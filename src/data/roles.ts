/** What each column of a table is for: features to learn from, an id, the label, or nothing. */

import { type Feature, featureKey, featureName } from "./feature.ts";

export type ColumnKind = "number" | "vector" | "text" | "boolean" | "date" | "empty" | "other";

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whole numbers, which may be an id. */
  readonly integer?: boolean;
  /** No value twice and none missing; looked at for columns that could be an id. */
  readonly unique?: boolean;
  /** How many numbers each vector of it has. */
  readonly length?: number;
  /** The values of a text column that is encoded. */
  readonly categories?: readonly string[];
  /** What its values are like, where someone has looked. */
  readonly facts?: ColumnFacts;
}

/** A value as text, and how many rows have it. */
export type ColumnValue = readonly [value: string, rows: number];

/** What the values of a column are like. */
export interface ColumnFacts {
  /** How many rows were looked at: all of them, but for the later numbers of a wide table. */
  readonly rows: number;
  /** How many of them have no value. */
  readonly missing: number;
  /** How many values are different: exact where they are few or where each row may have its own, else an estimate. */
  readonly distinct: number;
  /** Of numbers; of dates, in days since 1970. */
  readonly least?: number;
  readonly most?: number;
  /** Of numbers: whether all are whole. */
  readonly whole?: boolean;
  /** Of numbers: below which 5, 25, 50, 75 and 95 % of a sample of them are. */
  readonly quantiles?: readonly number[];
  /** Of numbers: none is smaller than the one before it in the file, as a sample says. */
  readonly rising?: boolean;
  /** The most frequent values first, up to 64 of them, where there are not more than a thousand in all. */
  readonly values?: readonly ColumnValue[];
  /** Of texts: their letters and words on average, and the letters of the longest. */
  readonly letters?: number;
  readonly words?: number;
  readonly longest?: number;
}

export interface RoleOptions {
  /** The features, in this order, by column or by name: "price", "embedding", "embedding[3]", "city=Rome". */
  readonly columns?: readonly string[];
  readonly ignore?: readonly string[];
  readonly id?: string | readonly string[];
  readonly label?: string;
  /** The column whose clusters are taught, where there is one: it is neither learned from nor scored against. */
  readonly teacher?: string;
  /** The column with texts whose words tell what clusters are; nothing learns from it. */
  readonly text?: string;
  /** Text, date and boolean columns to learn from: a number for each text, days since 1970, 0 or 1. */
  readonly encode?: readonly string[];
}

export interface Roles {
  readonly features: readonly Feature[];
  readonly ids: readonly string[];
  readonly label?: string;
  readonly teacher?: string;
  readonly text?: string;
  /** Said to people: what is used, and what is not. */
  readonly description: string;
}

/** Names that tell that a column holds ids. */
export const idName = /^(id|key|sku|uuid|.*_id)$/i;
/** Names that tell that a column holds labels. */
export const labelName = /^(label|class|target|y)$/i;

/** Whether a column could be an id, so that someone should look whether it is unique. */
export function mayBeId({ name, kind, integer }: Column): boolean {
  return kind === "text" || (integer === true && idName.test(name));
}

/** `fitted`: the features of other rows, to be found again where `options` name no columns. */
export function rolesOf(
  where: string,
  columns: readonly Column[],
  options: RoleOptions = {},
  fitted?: readonly Feature[],
): Roles {
  const named = new Map(columns.map((column) => [column.name, column]));
  const known = (name: string, option: string): Column => {
    const column = named.get(name);
    if (!column) throw new RangeError(`${where}: ${option} must name columns of it, got "${name}"; ${listed(columns)}`);
    return column;
  };
  // Of labels that lie in a file of their own, the rows may have the column as well, or not.
  const teacher = options.teacher === undefined ? undefined : named.get(options.teacher)?.name;
  const ignored = new Set((options.ignore ?? []).map((name) => known(name, "ignore").name));
  const encoded = new Set((options.encode ?? []).map((name) => known(name, "encode").name));
  const text = options.text === undefined ? undefined : textOf(where, known(options.text, "text"), options);
  const wanted = options.columns ?? fitted?.map(({ column }) => column) ?? [];
  const label =
    options.label === undefined
      ? labelOf(columns, new Set([...wanted, ...[options.id ?? []].flat(), ...ignored, teacher ?? "", text ?? ""]))
      : known(options.label, "label").name;
  const ids =
    options.id === undefined
      ? idsOf(columns, new Set([...wanted, ...ignored, ...encoded, label ?? "", teacher ?? "", text ?? ""]))
      : [options.id].flat().map((name) => known(name, "id").name);

  const usual = (): Feature[] =>
    columns
      .filter(({ name }) => name !== label && name !== teacher && !ids.includes(name) && !ignored.has(name))
      .flatMap((column) => featuresOf(column, encoded.has(column.name)));
  const features =
    options.columns?.flatMap((name) => requested(where, name, named)) ??
    fitted?.map((feature) => foundAgain(where, feature, named)) ??
    usual();
  if (teacher !== undefined) checkApart(where, teacher, { features, ids, label, encoded });
  if (features.length === 0) {
    throw new RangeError(
      `${where}: needs at least one column of numbers to learn from, has ${groups(columns) || "none"}; name text or date columns in encode`,
    );
  }
  const seen = new Set<string>();
  const twice = features.find((feature) => seen.size === seen.add(featureKey(feature)).size);
  if (twice)
    throw new RangeError(`${where}: columns must name each feature once, "${featureName(twice)}" is there twice`);
  const description = describe(columns, features, ids, label, teacher);
  return {
    ...{ features, ids, description },
    ...(label === undefined ? {} : { label }),
    ...(teacher === undefined ? {} : { teacher }),
    ...(text === undefined ? {} : { text }),
  };
}

/** Texts are read by people; as anything else they would be used twice. */
function textOf(where: string, { name, kind }: Column, { columns, id, label, teacher, encode }: RoleOptions): string {
  if (kind !== "text") {
    throw new RangeError(`${where}: text must name a column of texts, "${name}" is ${inWords({ name, kind })}`);
  }
  const others = { columns, id: [id ?? []].flat(), label: [label], teacher: [teacher], encode };
  const also = Object.entries(others).find(([, names]) => names?.includes(name))?.[0];
  if (also !== undefined) {
    throw new RangeError(`${where}: "${name}" cannot be named in text and in ${also}; leave one of them out`);
  }
  return name;
}

/** What is to be repeated says nothing about how well it is, and whoever sees it has nothing to learn. */
function checkApart(
  where: string,
  teacher: string,
  {
    features,
    ids,
    label,
    encoded,
  }: Pick<Roles, "features" | "ids"> & {
    readonly label: string | undefined;
    readonly encoded: ReadonlySet<string>;
  },
): void {
  const also =
    features.some(({ column }) => column === teacher) || encoded.has(teacher)
      ? "a column to learn from"
      : label === teacher
        ? "the label that scores it"
        : ids.includes(teacher)
          ? "an id"
          : undefined;
  if (also === undefined) return;
  throw new RangeError(`${where}: "${teacher}" is what the teacher says, and cannot be ${also} as well; leave it out`);
}

/** A column of a telling name; a y beside an x is a coordinate. */
function labelOf(columns: readonly Column[], taken: ReadonlySet<string>): string | undefined {
  const coordinates = columns.some(({ name }) => /^x$/i.test(name));
  return columns.find(
    ({ name, kind }) =>
      labelName.test(name) && kind !== "vector" && !taken.has(name) && !(coordinates && /^y$/i.test(name)),
  )?.name;
}

/** The unique columns that are named like an id; where there are none, the first unique text. */
function idsOf(columns: readonly Column[], taken: ReadonlySet<string>): string[] {
  const free = columns.filter((column) => column.unique && !taken.has(column.name));
  const telling = free.filter(({ name }) => idName.test(name));
  return (telling.length > 0 ? telling : free.filter(({ kind }) => kind === "text").slice(0, 1)).map(
    ({ name }) => name,
  );
}

function featuresOf({ name: column, kind, length = 0, categories = [] }: Column, encoded: boolean): Feature[] {
  if (kind === "number") return [{ kind, column }];
  if (kind === "vector") return Array.from({ length }, (_, index) => ({ kind: "element", column, index }));
  if (!encoded || kind === "empty" || kind === "other") return [];
  if (kind !== "text") return [{ kind, column }];
  return categories.map((value) => ({ kind: "category", column, value }));
}

/** The features that a name in `columns` stands for: a column of exactly this name, else a part of another. */
function requested(where: string, name: string, named: ReadonlyMap<string, Column>): Feature[] {
  const column = named.get(name);
  if (column) {
    const features = featuresOf(column.kind === "empty" ? asNumbers(column) : column, true);
    if (features.length > 0) return features;
    throw new TypeError(
      `${where}: columns must name numbers, "${name}" is ${inWords(column)}; name it in encode to learn from it`,
    );
  }
  const [, vector, index] = /^(.*)\[(\d+)\]$/s.exec(name) ?? [];
  const spread = named.get(vector ?? "");
  if (spread?.kind === "vector" && Number(index) < (spread.length ?? 0)) {
    return [{ kind: "element", column: spread.name, index: Number(index) }];
  }
  for (let at = name.indexOf("="); at >= 0; at = name.indexOf("=", at + 1)) {
    const text = named.get(name.slice(0, at));
    if (text?.kind === "text") return [{ kind: "category", column: text.name, value: name.slice(at + 1) }];
  }
  throw new RangeError(`${where}: columns must name columns of it, got "${name}"; ${listed([...named.values()])}`);
}

/** A feature of other rows among these columns, whose types may differ: what was a boolean may be 0 and 1 here. */
function foundAgain(where: string, feature: Feature, named: ReadonlyMap<string, Column>): Feature {
  const column = named.get(feature.column);
  if (!column) {
    // What was a vector, or a text, may have a column for each of its numbers here, called as people call them.
    const spread = feature.kind === "number" ? undefined : named.get(featureName(feature));
    if (spread) return foundAgain(where, { kind: "number", column: spread.name }, named);
    throw new RangeError(
      `${where}: must have the columns that the model was fitted to, "${feature.column}" is missing; ${listed([...named.values()])}`,
    );
  }
  const { kind } = column.kind === "empty" ? asNumbers(column) : column;
  switch (feature.kind) {
    case "element":
      if (kind === "vector" && feature.index < (column.length ?? 0)) return feature;
      throw new TypeError(
        `${where}: column ${column.name} must be vectors of more than ${feature.index} numbers as in the rows of the model, it is ${inWords(column)}`,
      );
    case "category":
      if (kind !== "vector" && kind !== "other") return feature;
      throw new TypeError(
        `${where}: column ${column.name} must be texts as in the rows of the model, it is ${inWords(column)}`,
      );
    default:
      if (kind === "number" || kind === "boolean" || kind === "date") return { kind, column: column.name };
      throw new TypeError(
        `${where}: column ${column.name} must be numbers as in the rows of the model, it is ${inWords(column)}`,
      );
  }
}

/** A column without values has no type: whoever asks for it means numbers, all of them missing. */
function asNumbers({ name }: Column): Column {
  return { name, kind: "number" };
}

function inWords({ kind, length }: Column): string {
  if (kind === "other") return "of another type";
  return length === undefined ? kind : `${kind} of ${quantity(length, "number")}`;
}

function describe(
  columns: readonly Column[],
  features: readonly Feature[],
  ids: readonly string[],
  label?: string,
  teacher?: string,
): string {
  const used = (...kinds: Feature["kind"][]): string[] => [
    ...new Set(features.filter(({ kind }) => kinds.includes(kind)).map(({ column }) => column)),
  ];
  const numbers = used("number").length;
  const encoded = used("boolean", "date", "category");
  const parts = [
    ...(numbers > 0 ? [quantity(numbers, "numeric column")] : []),
    ...used("element").map((name) => {
      const length = features.filter(({ kind, column }) => kind === "element" && column === name).length;
      return `the ${quantity(length, "number")} of ${name}`;
    }),
    ...(encoded.length > 0 ? [`${quantity(encoded.length, "encoded column")} (${some(encoded)})`] : []),
  ];
  const taken = new Set([...features.map(({ column }) => column), ...ids, label, teacher]);
  const rest = groups(columns.filter(({ name }) => !taken.has(name)));
  return [
    `using ${parts.join(" and ")}`,
    ...(ids.length > 0 ? [`id = ${ids.join(" and ")}`] : []),
    ...(label === undefined ? [] : [`label = ${label} (for scores only)`]),
    ...(teacher === undefined ? [] : [`${teacher} (the teacher's) left out`]),
    ...(rest ? [`ignoring ${rest}`] : []),
  ].join(", ");
}

/** Such as: 2 text columns (name, city) and 1 date column (day). */
function groups(columns: readonly Column[]): string {
  const words = {
    number: "numeric",
    vector: "vector",
    text: "text",
    boolean: "boolean",
    date: "date",
    empty: "empty",
    other: "other",
  };
  return (Object.keys(words) as ColumnKind[])
    .map((kind) => ({ kind, names: columns.filter((column) => column.kind === kind).map(({ name }) => name) }))
    .filter(({ names }) => names.length > 0)
    .map(({ kind, names }) => `${quantity(names.length, `${words[kind]} column`)} (${some(names)})`)
    .join(" and ");
}

function listed(columns: readonly Column[]): string {
  return `it has ${some(columns.map(({ name }) => name))}`;
}

function quantity(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** Names for people to read: the first few. */
function some(names: readonly string[]): string {
  const first = names.slice(0, 8).map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
  return `${first.join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""}`.replaceAll(/\s+/g, " ");
}
