/** What the name of a column tells, however it is written: PassengerId, passenger_id, "Passenger ID". */

/** Words in small letters with _ between them. */
export function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1_$2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");
}

const whoever = "subject|individual|patient|person|respondent|participant|member|customer|client|user|account|employee";
const patterns = {
  /** It names a row, or somebody. */
  id: /^(.*_)?(id|ids|key|sku|uuid|guid|pid|uid|isbn|ean|upc|doi)$/,
  /** It is a code or a number by which something is called. */
  code: /^(.*_)?(code|cod|number|num|no|nr|nb|zip|zip_?code|postcode|postal_?code|fips|phone|iban|ssn|serial|flight|invoice|ticket|order|transaction|batch)$/,
  /** It says whose row this is. */
  whose: new RegExp(`^(${whoever})(_(number|num|no|nr|code))?$`),
  /** It counts rows. */
  counter:
    /^(index|idx|row|rows|row_?names?|row_?(number|num|no|nr|index|id)|unnamed(_\d+)?|level_0|x|n|nr|no|obs|seq|#)$/,
  label: /^((true|known|actual|gold)_)?(labels?|class(es)?|class_?label|target|y|species|ground_?truth)$/,
  /** It says when. */
  time: /^(.*_)?((date|datetime|time|timestamp|year|yr|month|week|day|hour|minute|second|quarter|period|epoch)s?|t|.*_at)$/,
  /** It says when, whatever its numbers look like. */
  moment: /^(.*_)?(date|datetime|timestamp|.*_at)$/,
};

export type NameTells = keyof typeof patterns;

export function tells(name: string, what: NameTells): boolean {
  return patterns[what].test(plainName(name));
}

/** What a reader calls a column that has no name in its file. */
export function isUnnamed(name: string): boolean {
  return /^(column_?\d+|unnamed(_\d+)?|)$/.test(plainName(name));
}
