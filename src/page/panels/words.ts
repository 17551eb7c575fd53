/** How the page speaks of clusters, rows and values. */

import type { Explanation } from "../../api/runs.ts";
import type { Cell } from "../../api/values.ts";
import { number, unbroken } from "../../report/parts/numbers.ts";

/** Its name, or "cluster 3". */
export function nameOf({ cluster, name }: { readonly cluster: number; readonly name: string }): string {
  return name === "" ? `cluster ${cluster}` : name;
}

export function cellText(value: Cell | undefined): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return number(value);
  // Of a day, midnight says nothing.
  return String(value).replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, "$1");
}

type Part = NonNullable<Explanation["why"]>["input"]["features"][number];

/** What a row has in a column that is part of a margin; what it does not have itself is said to be filled in. */
export function partText({ value, said, filled }: Part): string {
  return unbroken(`${said?.[0] ?? number(value)}${filled ? ", filled in" : ""}`);
}

/** Letters from which on a text is to be read, not looked up. */
const aText = 120;

export function isToRead(value: Cell | undefined): value is string {
  return typeof value === "string" && value.length > aText;
}

/** Days since 1970 as 2024-02-29. */
export function dayText(days: number): string {
  const date = new Date(days * 86_400_000);
  return Number.isNaN(date.getTime()) ? "–" : date.toISOString().slice(0, 10);
}
