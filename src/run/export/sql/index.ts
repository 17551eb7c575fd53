/**
 * Statements for engines that run ONNX models themselves: with the real names in them, and a comment on what is to be
 * filled in.
 */

import type { Feature } from "../../../data/feature.ts";
import { sqlComment } from "../../../text/sql.ts";
import { bigQuery } from "./bigquery.ts";
import { duckDb } from "./duckdb.ts";
import type { Engine, EngineFacts } from "./facts.ts";
import { oracle } from "./oracle.ts";

const engines: readonly Engine[] = [bigQuery, oracle, duckDb];

/** What becomes of columns that are no numbers, in sentences. */
function encodedIn({ features, encoded }: EngineFacts): string[] {
  const has = (kind: Feature["kind"]): boolean => features.some((feature) => feature.kind === kind);
  // Of an older run only the names are known: which of its numbers were dates or booleans is not.
  const numbers = features.filter(({ kind, column }) => kind === "number" && encoded.includes(column));
  const names = numbers.map(({ column }) => column).join(", ");
  return [
    ...(has("boolean") ? ["Booleans become 0 and 1."] : []),
    ...(has("date") ? ["Dates become days since 1970 in universal time."] : []),
    ...(names ? [`Have numbers in ${names}: 0 and 1 for a boolean, days since 1970 for a date.`] : []),
  ];
}

/** All statements, each engine under its title. */
export function statementsFor(facts: EngineFacts): string {
  const isPicture = facts.row.length > 1;
  const sections = engines.map(({ title, takesPictures, statements }) => {
    const header = `-- ${"=".repeat(8)} ${title}`;
    if (isPicture && !takesPictures) {
      return `${header}\n-- Takes rows of numbers and no pictures [${facts.row}]: use telltale assign, and load the assignments as a table.`;
    }
    return `${header}${statements(facts)}`;
  });
  const input = `${facts.input} [n, ${facts.row.join(", ")}]`;
  const missing = facts.fills
    ? "A missing value goes in as NaN and is filled in by the model."
    : "No value may be missing.";
  return `-- ${facts.name}: input ${input}; outputs label [n], probabilities and distances [n, ${facts.clusterNames.length}], z.
${sqlComment(`Rows go in as they are: scaling is inside. ${[missing, ...encodedIn(facts)].join(" ")}`)}

${sections.join("\n\n")}
`;
}
