/** What each column of a table is for: features to learn from, an id, the label, or nothing. */

import type { Column, ColumnKind } from "./column.ts";
import { featuresOf } from "./columnFeatures.ts";
import { type Guess, guessRoles, type Role } from "./columnGuess.ts";
import { tells } from "./columnNames.ts";
import { type Feature, featureKey, featureName } from "./feature.ts";

export type { Column, ColumnFacts, ColumnKind, ColumnValue } from "./column.ts";

export interface RoleOptions {
  /** The features, in this order, by column or by name: "price", "embedding", "embedding[3]", "city=Rome". */
  readonly columns?: readonly string[];
  readonly ignore?: readonly string[];
  /** The columns that name a row; "none" where there is to be none, unless a column is called so. */
  readonly id?: string | readonly string[];
  /** Known classes; "none" as for id. */
  readonly label?: string;
  /** The column whose clusters are taught, where there is one: it is neither learned from nor scored against. */
  readonly teacher?: string;
  /** The column with texts whose words tell what clusters are; nothing learns from it. */
  readonly text?: string;
  /** Text, date and boolean columns to learn from that would not be by themselves; rare texts are gathered. */
  readonly encode?: readonly string[];
  /** The values of text columns that have an order, from the least on. */
  readonly order?: Readonly<Record<string, readonly string[]>>;
}

export interface Roles {
  readonly features: readonly Feature[];
  readonly ids: readonly string[];
  readonly label?: string;
  readonly teacher?: string;
  readonly text?: string;
  /** What each column is for, and why, in the order of the file. */
  readonly columns: readonly ColumnRole[];
  /** Said to people: what is used, and what is not. */
  readonly description: string;
}

export interface ColumnRole extends Guess {
  readonly column: Column;
  /** Whether it is learned from. */
  readonly isUsed: boolean;
  /** What it would be for if nobody had said anything. */
  readonly guess: Role;
}

/** Whether a column could be an id, so that someone should look whether it is unique. */
export function mayBeId({ name, kind, integer }: Column): boolean {
  return kind === "text" || (integer === true && (tells(name, "id") || tells(name, "whose")));
}

/** Other rows, which these are to be read like. */
export interface RowsBefore {
  /** To be found again where no columns are named. */
  readonly features?: readonly Feature[];
  /** Their columns: what did not name a row there does not here, however its values look. */
  readonly seen?: readonly string[];
}

export function rolesOf(
  where: string,
  columns: readonly Column[],
  options: RoleOptions = {},
  { features: fitted, seen = [] }: RowsBefore = {},
): Roles {
  const named = new Map(columns.map((column) => [column.name, column]));
  const known = (name: string, option: string): Column => {
    const column = named.get(name);
    if (!column)
      throw new RangeError(`${where}: --${option} must name columns of it, got "${name}"; ${listed(columns)}`);
    return column;
  };
  // Of labels that lie in a file of their own, the rows may have the column as well, or not.
  const teacher = options.teacher === undefined ? undefined : named.get(options.teacher)?.name;
  const ignored = new Set((options.ignore ?? []).map((name) => known(name, "ignore").name));
  const encoded = new Set((options.encode ?? []).map((name) => known(name, "encode").name));
  const text = options.text === undefined ? undefined : textOf(where, known(options.text, "text"), options);
  checkIgnored(where, ignored, options);
  const wanted = options.columns ?? fitted?.map(({ column }) => column) ?? [];
  const said = (name: string | readonly string[], option: "id" | "label"): string[] => {
    const names = [name].flat();
    return names.join() === "none" && !named.has("none") ? [] : names.map((each) => known(each, option).name);
  };
  const saidIds = options.id === undefined ? undefined : said(options.id, "id");
  const saidLabels = options.label === undefined ? undefined : said(options.label, "label");
  if (saidLabels !== undefined) checkLabel(where, saidLabels, options);
  const taken = new Set([
    ...[...wanted, ...ignored, ...encoded, teacher ?? "", text ?? ""],
    ...[...(saidIds ?? []), ...(saidLabels ?? [])],
  ]);
  const guesses = guessRoles(columns, { taken, isLabelSaid: saidLabels !== undefined });
  const guessed = (role: Role): string[] =>
    columns.map(({ name }) => name).filter((name) => guesses.get(name)!.role === role && !taken.has(name));
  const [label] = saidLabels ?? guessed("label");
  const ids = saidIds ?? guessed("id").filter((name) => !seen.includes(name));

  const order = orderIn(where, options, known);
  // Beside vectors, categories and dates tell what a row is about: they do not change where it is.
  const hasVectors = columns.some(({ name, kind }) => kind === "vector" && !ignored.has(name));
  const usualFeatures = (column: Column): Feature[] => {
    const { role } = guesses.get(column.name)!;
    const isPlain = column.kind === "number" || column.kind === "vector";
    if (!isLearned(column, role) || (hasVectors && !isPlain)) return [];
    return featuresOf(column, order.get(column.name));
  };
  const asked = (column: Column): Feature[] => {
    const found = featuresOf(column, order.get(column.name));
    if (found.length > 0 || column.kind !== "text" || !column.facts) return found;
    const { distinct, rows } = column.facts;
    throw new RangeError(
      `${where}: --encode gathers texts of which some repeat, of ${column.name} none does often enough (${distinct} values in ${rows} rows); leave it out`,
    );
  };
  const usual = (): Feature[] =>
    columns
      .filter(({ name }) => ![label, teacher, text, ...ids].includes(name) && !ignored.has(name))
      .flatMap((column) => (encoded.has(column.name) ? asked(column) : usualFeatures(column)));
  if (options.columns === undefined) checkUnnamed(where, fitted, named);
  const features =
    options.columns?.flatMap((name) => requested(where, name, named, order)) ??
    fitted?.map((feature) => foundAgain(where, feature, named)) ??
    usual();
  if (teacher !== undefined) checkApart(where, teacher, { features, ids, label, encoded });
  const keys = new Set<string>();
  const twice = features.find((feature) => keys.size === keys.add(featureKey(feature)).size);
  if (twice)
    throw new RangeError(`${where}: --columns must name each feature once, "${featureName(twice)}" is there twice`);
  const roles = rolesFound(columns, guesses, { features, ids, label, teacher, options });
  const description = describe(columns, features, ids, label, teacher);
  return {
    ...{ features, ids, columns: roles, description },
    ...(label === undefined ? {} : { label }),
    ...(teacher === undefined ? {} : { teacher }),
    ...(text === undefined ? {} : { text }),
  };
}

/** Whether nobody has to ask for it. A date that each row has of its own only tells their order. */
function isLearned({ kind, facts, unique }: Column, role: Role): boolean {
  if (role !== "time") return role === "feature";
  const isOwn = unique ?? (facts !== undefined && facts.missing === 0 && facts.distinct === facts.rows);
  return kind === "date" && !isOwn;
}

/** Texts are read by people; as anything else they would be used twice. */
function textOf(where: string, { name, kind }: Column, { columns, id, label, teacher, encode }: RoleOptions): string {
  if (kind !== "text") {
    throw new RangeError(`${where}: --text must name a column of texts, "${name}" is ${inWords({ name, kind })}`);
  }
  const others = { columns, id: [id ?? []].flat(), label: [label], teacher: [teacher], encode };
  const also = Object.entries(others).find(([, names]) => names?.includes(name))?.[0];
  if (also !== undefined) {
    throw new RangeError(`${where}: "${name}" cannot be named in --text and in --${also}; leave one of them out`);
  }
  return name;
}

/** Columns of an array have no names but their places. */
function checkUnnamed(where: string, fitted: readonly Feature[] = [], named: ReadonlyMap<string, Column>): void {
  const isUnnamed = fitted.every(({ kind, column }, i) => kind === "number" && column === String(i));
  if (!isUnnamed || fitted.every(({ column }) => named.has(column))) return;
  throw new RangeError(
    `${where}: the model was fitted to rows of ${quantity(fitted.length, "number")} without names, and these have names; give such rows as an array (.npy)`,
  );
}

/** What is left out is not learned from. */
function checkIgnored(where: string, ignored: ReadonlySet<string>, { columns = [], encode = [] }: RoleOptions): void {
  for (const [option, names] of Object.entries({ columns, encode })) {
    const name = names.find((each) => ignored.has(each));
    if (name !== undefined) {
      throw new RangeError(`${where}: "${name}" cannot be named in --ignore and in --${option}; leave one of them out`);
    }
  }
}

/** What is learned from cannot be what rows are scored against. */
function checkLabel(where: string, labels: readonly string[], { columns, encode }: RoleOptions): void {
  const also = Object.entries({ columns, encode }).find(([, names]) => names?.includes(labels[0]!))?.[0];
  if (also === undefined) return;
  throw new RangeError(
    `${where}: "${labels[0]}" cannot be named in --label, which is for scores only, and in --${also}; leave one of them out`,
  );
}

/** Without a feature nothing can be learned. */
export function checkFeatures(where: string, { features, columns }: Pick<Roles, "features" | "columns">): void {
  if (features.length > 0) return;
  const reasons = columns.slice(0, 6).map(({ column, role, reason }) => `${column.name} (${role}: ${reason})`);
  const more = columns.length > 6 ? ` and ${columns.length - 6} more` : "";
  throw new RangeError(
    `${where}: needs at least one column to learn from, and has ${reasons.join(", ").replaceAll(/\s+/g, " ")}${more}; say which are with --columns or --encode, which take numbers, dates, and texts of which some repeat`,
  );
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

/** What has become of each column: what somebody said, or else the guess. */
function rolesFound(
  columns: readonly Column[],
  guesses: ReadonlyMap<string, Guess>,
  {
    features,
    ids,
    label,
    teacher,
    options,
  }: Pick<Roles, "features" | "ids"> & {
    readonly label: string | undefined;
    readonly teacher: string | undefined;
    readonly options: RoleOptions;
  },
): ColumnRole[] {
  const used = new Set(features.map(({ column }) => column));
  const isWithoutVectors = columns.every(({ kind }) => kind !== "vector");
  const said: readonly (readonly [keyof RoleOptions, readonly string[]])[] = [
    ["columns", options.columns ?? []],
    ["encode", options.encode ?? []],
    ["id", [options.id ?? []].flat()],
    ["label", [options.label ?? ""]],
    ["text", [options.text ?? ""]],
    ["ignore", options.ignore ?? []],
  ];
  return columns.map((column) => {
    const { name, kind } = column;
    const guess = guesses.get(name)!;
    const by = said.find(([, names]) => names.includes(name))?.[0];
    const found = (role: Role): ColumnRole => ({
      ...{ column, role, isUsed: used.has(name), guess: guess.role },
      reason: by === undefined ? guess.reason : `as you said (${by})`,
    });
    if (name === teacher) return { ...found("ignored"), reason: "is what the teacher says" };
    if (name === label) return found("label");
    if (ids.includes(name)) return found("id");
    if (used.has(name)) return found(kind === "date" || guess.role === "time" ? "time" : "feature");
    if (by === "ignore") return found("ignored");
    if (by === "text") return found("text");
    if (guess.role === "text" || guess.role === "time" || guess.role === "ignored") return found(guess.role);
    // Values of which none is frequent tell too little to be learned from.
    if (kind === "text" && guess.role === "feature" && isWithoutVectors && !options.columns) return found("text");
    return { ...found("ignored"), reason: unusedBecause(guess, options) };
  });
}

/** Why a column is left out that could be learned from, or that could name rows. */
function unusedBecause({ role, reason }: Guess, options: RoleOptions): string {
  if (options.columns) return "is not among the columns that you named";
  if (role === "feature") return `${reason}; learned from where --encode names it`;
  return `${reason}, but you said otherwise (${role})`;
}

/** What a person says about the order of texts. */
function orderIn(
  where: string,
  { order = {} }: RoleOptions,
  known: (name: string, option: string) => Column,
): ReadonlyMap<string, readonly string[]> {
  for (const [name, values] of Object.entries(order)) {
    const column = known(name, "order");
    if (column.kind !== "text") {
      throw new TypeError(`${where}: --order is for texts, "${name}" is ${inWords(column)}; leave it out`);
    }
    if (values.length < 2 || new Set(values).size !== values.length) {
      throw new RangeError(
        `${where}: --order must have two values of ${name} or more, each once, got ${JSON.stringify(values)}`,
      );
    }
  }
  return new Map(Object.entries(order));
}

/** The features that a name in `columns` stands for: a column of exactly this name, else a part of another. */
function requested(
  where: string,
  name: string,
  named: ReadonlyMap<string, Column>,
  order: ReadonlyMap<string, readonly string[]>,
): Feature[] {
  const column = named.get(name);
  if (column) {
    const features = featuresOf(column.kind === "empty" ? asNumbers(column) : column, order.get(name));
    if (features.length > 0) return features;
    throw new TypeError(
      `${where}: --columns must name what can be learned from, "${name}" is ${inWords(column)}${column.kind === "text" ? " of which no value repeats" : ""}`,
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
  throw new RangeError(`${where}: --columns must name columns of it, got "${name}"; ${listed([...named.values()])}`);
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
    case "cycle":
      if (kind === "date" || column.kind === "empty") return feature;
      throw new TypeError(
        `${where}: column ${column.name} must be dates as in the rows of the model, it is ${inWords(column)}`,
      );
    case "category":
    case "other":
    case "ordered":
      if (kind !== "vector" && kind !== "other") return feature;
      throw new TypeError(
        `${where}: column ${column.name} must be texts as in the rows of the model, it is ${inWords(column)}`,
      );
    default:
      if (kind === "number" && feature.kind === "count") return feature;
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
  const words = {
    ...{ number: "numbers", text: "text", boolean: "yes or no", date: "dates", empty: "without values" },
    ...{ other: "of another type", vector: `vectors of ${quantity(length ?? 0, "number")}` },
  };
  return words[kind];
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
  const numbers = used("number", "count").length;
  const encoded = used("boolean", "date", "category", "other", "ordered");
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
    `using ${parts.join(" and ") || "no column"}`,
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
    .join(", ")
    .replace(/^(.*\)), /s, "$1 and ");
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
