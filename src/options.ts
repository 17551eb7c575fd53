/** Declared options: one declaration gives validation, defaults, help text, a form and a page of documentation. */

interface About {
  /** What it does, in one sentence. */
  readonly about: string;
}

export interface NumberOption extends About {
  readonly kind: "number" | "whole";
  readonly fallback: number;
  readonly from: number;
  readonly to: number;
}

export interface ChoiceOption<C extends string = string> extends About {
  readonly kind: "choice";
  readonly fallback: C;
  readonly choices: readonly C[];
}

export interface FlagOption extends About {
  readonly kind: "flag";
  readonly fallback: boolean;
}

export interface SizesOption extends About {
  readonly kind: "sizes";
  readonly fallback: readonly number[];
}

export type Option = NumberOption | ChoiceOption | FlagOption | SizesOption;
export type OptionTable = Readonly<Record<string, Option>>;

type ValueOf<O> =
  O extends ChoiceOption<infer C>
    ? C
    : O extends NumberOption
      ? number
      : O extends FlagOption
        ? boolean
        : readonly number[];

export type ValuesOf<T extends OptionTable> = { readonly [K in keyof T]: ValueOf<T[K]> };

const infinity = Number.POSITIVE_INFINITY;
/** Whatever is counted. */
const largestWhole = 2 ** 31 - 1;
/** More layers than this are a mistake. */
const mostSizes = 64;

export function number(about: string, fallback: number, { from = 0, to = infinity } = {}): NumberOption {
  return { kind: "number", about, fallback, from, to };
}

export function whole(about: string, fallback: number, { from = 0, to = infinity } = {}): NumberOption {
  return { kind: "whole", about, fallback, from, to };
}

export function choice<const C extends string>(about: string, choices: readonly C[], fallback: C): ChoiceOption<C> {
  return { kind: "choice", about, fallback, choices };
}

export function flag(about: string, fallback: boolean): FlagOption {
  return { kind: "flag", about, fallback };
}

export function sizes(about: string, fallback: readonly number[]): SizesOption {
  return { kind: "sizes", about, fallback };
}

/**
 * Every option of the table with a value: the first of the layers that gives one, or the fallback. All must be known
 * and in range.
 */
export function resolve<T extends OptionTable>(
  where: string,
  table: T,
  ...layers: readonly Readonly<Record<string, unknown>>[]
): ValuesOf<T> {
  for (const name of layers.flatMap((layer) => Object.keys(layer))) {
    if (!Object.hasOwn(table, name))
      throw new RangeError(`${where}: there is no option ${name}${suggestion(name, table)}`);
  }
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => {
      const layer = layers.find((each) => each[name] !== undefined);
      const given = layer ? layer[name] : option.fallback;
      const problem = problemWith(option, given);
      if (problem) throw new RangeError(`${where}: the option ${name} must be ${problem}, got ${show(given)}`);
      return [name, given];
    }),
  ) as ValuesOf<T>;
}

const kinds: { readonly [K in Option["kind"]]: true } = {
  number: true,
  whole: true,
  choice: true,
  flag: true,
  sizes: true,
};

/** Whether something from elsewhere is an option, as far as one can see. */
export function isOption(value: unknown): value is Option {
  const { kind, about } = (value ?? {}) as Partial<Option>;
  return typeof kind === "string" && Object.hasOwn(kinds, kind) && typeof about === "string";
}

/** What an option may be, in words: for help and for errors. */
export function allowed(option: Option): string {
  switch (option.kind) {
    case "choice":
      return `one of ${option.choices.join(", ")}`;
    case "flag":
      return "true or false";
    case "sizes":
      return `a list of whole numbers from 1, at most ${mostSizes} of them`;
    default: {
      const upTo = option.to === infinity ? "" : ` to ${option.to}`;
      return `a ${option.kind === "whole" ? "whole number" : "number"} from ${option.from}${upTo}`;
    }
  }
}

function problemWith(option: Option, value: unknown): string | undefined {
  if (isAllowed(option, value)) return undefined;
  const isHuge = option.kind === "whole" && option.to === infinity && (value as number) > largestWhole;
  return `${allowed(option)}${isHuge ? ` to ${largestWhole}` : ""}`;
}

function isAllowed(option: Option, value: unknown): boolean {
  switch (option.kind) {
    case "choice":
      return option.choices.includes(value as string);
    case "flag":
      return typeof value === "boolean";
    case "sizes":
      return (
        Array.isArray(value) &&
        value.length <= mostSizes &&
        value.every((size) => Number.isSafeInteger(size) && size >= 1)
      );
    default:
      return (
        typeof value === "number" &&
        value >= option.from &&
        value <= option.to &&
        Number.isFinite(value) &&
        (option.kind === "number" || (Number.isInteger(value) && value <= largestWhole))
      );
  }
}

/** "; did you mean …?", if there is a name not far off. */
function suggestion(name: string, table: OptionTable): string {
  const near = nearest(name, Object.keys(table));
  return near ? `; did you mean ${near}?` : `; there are ${Object.keys(table).join(", ")}`;
}

/** The known name that the fewest changes of a letter lead to, if a third of the letters may stay wrong. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, changes: changesBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.changes - b.changes);
  const best = ranked[0];
  return best && best.changes <= Math.max(1, Math.floor(name.length / 3)) ? best.candidate : undefined;
}

/** Levenshtein's distance. */
function changesBetween(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      now[j] = Math.min(before[j]! + 1, now[j - 1]! + 1, before[j - 1]! + same);
    }
    before = now;
  }
  return before[b.length]!;
}

function show(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : Array.isArray(value) ? `[${value}]` : String(value);
}
