/** What a person says about columns, as the server takes it. */

import type { Inspection, RowOptions } from "../../api/fits.ts";

export const roles = ["feature", "ignored", "id", "label", "text"] as const;
export type Role = (typeof roles)[number];

/** By name: what each column is for, where a person has said so. */
export type Corrections = Readonly<Record<string, Role>>;

export function roleOf({ name, role }: Inspection["columns"][number], corrections: Corrections): string {
  return corrections[name] ?? role;
}

/** Only what differs from what was found: the rest is found again. */
export function rowOptions({ columns }: Pick<Inspection, "columns">, corrections: Corrections): RowOptions {
  if (Object.keys(corrections).length === 0) return {};
  const withRole = (wanted: string): string[] =>
    columns.filter((column) => roleOf(column, corrections) === wanted).map(({ name }) => name);
  const changed = (wanted: string): boolean =>
    columns.some(
      (column) =>
        corrections[column.name] !== undefined && (column.role === wanted || corrections[column.name] === wanted),
    );
  const added = columns.filter(({ name, role }) => corrections[name] === "feature" && role !== "feature");
  const encode = added.filter(({ type }) => /text|boolean/.test(type)).map(({ name }) => name);
  const [label] = withRole("label");
  const [text] = withRole("text");
  return {
    ...(changed("ignored") && withRole("ignored").length > 0 && { ignore: withRole("ignored") }),
    ...(changed("id") && withRole("id").length > 0 && { id: withRole("id") }),
    ...(changed("label") && label !== undefined && { label }),
    ...(changed("text") && text !== undefined && { text }),
    ...(added.length > encode.length && { columns: withRole("feature") }),
    ...(encode.length > 0 && { encode }),
  };
}
