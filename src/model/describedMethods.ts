/** Our methods as a form shows them: what each is, and its options with what they may be. */

import { defaultMethod, methods } from "../methods/index.ts";
import { allowed, type Option } from "../options.ts";
import type { Method } from "../training/method.ts";
import { sharedOptions } from "../training/sharedOptions.ts";

type Value = string | number | boolean | number[];

export interface DescribedOption {
  readonly name: string;
  readonly kind: Option["kind"];
  readonly about: string;
  readonly fallback: Value;
  readonly from?: number;
  /** null: without an end. */
  readonly to?: number | null;
  readonly choices?: string[];
  /** What it may be, in words, and what the profiles say. */
  readonly allowed: string;
  readonly practical: Value;
  readonly paper: Value;
}

export interface DescribedMethod {
  readonly name: string;
  readonly about: string;
  readonly paper: string;
  readonly isDefault: boolean;
  readonly options: DescribedOption[];
  readonly shared: DescribedOption[];
}

export function describedMethods(): DescribedMethod[] {
  return Object.values<Method>(methods).map(({ name, about, paper, options, profiles }) => {
    const listed = (table: Readonly<Record<string, Option>>): DescribedOption[] =>
      Object.entries(table).map(([option, declared]) => described(option, declared, profiles));
    const isDefault = name === defaultMethod;
    return { name, about, paper, isDefault, options: listed(options), shared: listed(sharedOptions) };
  });
}

function described(name: string, declared: Option, profiles: Method["profiles"]): DescribedOption {
  const { kind, about, fallback } = declared;
  const by = (profile: "practical" | "paper"): Value =>
    ((profiles[profile] as Readonly<Record<string, unknown>>)[name] ?? fallback) as Value;
  const said = { practical: by("practical"), paper: by("paper"), allowed: allowed(declared) };
  return {
    ...{ name, kind, about, fallback: fallback as Value, ...said },
    ...("from" in declared && { from: declared.from, to: Number.isFinite(declared.to) ? declared.to : null }),
    ...("choices" in declared && { choices: [...declared.choices] }),
  };
}
