/** A table as Markdown has it: the first column is of words, the others of numbers. */
export function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "Not measured yet.";
  const lineOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [lineOf(names), lineOf(names.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows.map(lineOf)].join("\n");
}
