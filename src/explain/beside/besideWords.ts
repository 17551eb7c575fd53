/** What columns that were not used to cluster say, in words, and in names. */

import { oneLine } from "../../text/oneLine.ts";
import { percent } from "../../text/shares.ts";
import type { Beside } from "../clusters/clusterSummary.ts";
import type { Said } from "../clusters/distinctNames.ts";

/** What marks it wherever it is shown. */
export const notUsed = "not used to cluster";

/** "mostly Rome, 72 % (elsewhere 20 %)", or the shares of the first where none has half: "Rome 40 %, Oslo 35 %". */
export function shareWords(values: Extract<Beside, { kind: "category" }>["values"], most = 3): string {
  const [first] = values;
  if (first && first.here >= 0.5) {
    const there = first.there === undefined ? "" : ` (elsewhere ${percent(first.there)})`;
    return first.here === 1
      ? `all ${short(first.value)}${there}`
      : `mostly ${short(first.value)}, ${percent(first.here)}${there}`;
  }
  return values
    .slice(0, most)
    .map(({ value, here }) => `${short(value)} ${percent(here)}`)
    .join(", ");
}

/** What a column says of a cluster, without its name. */
export function besideWords(says: Beside): string {
  switch (says.kind) {
    case "number":
      return `mean ${number(says.here)}${says.there === undefined ? "" : `, elsewhere ${number(says.there)}`}`;
    case "date":
      return `${says.from} to ${says.to}, mean ${says.here}${says.there === undefined ? "" : `, elsewhere ${says.there}`}`;
    case "category":
      return shareWords(says.values);
    case "words":
      return says.words.map(({ word }) => word).join(", ");
  }
}

/** By so much a share must exceed that elsewhere, and a mean in deviations, to make a name. */
const [leastShare, leastGain, leastEffect] = [0.5, 0.2, 0.5];
const mostWords = 3;

/** What a cluster can be called by columns that were not used, and the column: words if there are any. */
export function saidBeside(beside: readonly Beside[] = []): (Said & { readonly column: string }) | undefined {
  for (const says of beside) {
    const phrases = phrasesOf(says);
    if (phrases.length > 0) return { phrases, usual: mostWords, column: says.column };
  }
  return undefined;
}

function phrasesOf(says: Beside): string[] {
  switch (says.kind) {
    case "words":
      return says.words.map(({ word }) => word);
    case "category":
      return says.values
        .filter(({ here, there = here }) => here >= leastShare && here - there >= leastGain)
        .map(({ value }) => `${short(says.column)} mostly ${short(value)}`);
    case "number":
      return Math.abs(says.effect ?? 0) < leastEffect
        ? []
        : [`${says.effect! > 0 ? "high" : "low"} ${short(says.column)}`];
    case "date":
      return [];
  }
}

/** A name or a value in a line of ours. */
function short(text: string): string {
  return oneLine(text, 40);
}

function number(value: number): string {
  const digits = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
  return String(digits).replace("-", "−");
}
