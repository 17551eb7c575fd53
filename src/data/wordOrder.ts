/** Words that have an order, as people use them: low, medium, high; 1st, 2nd, 3rd; 18-24, 25-34, 65+. */

/** From the least on; words for the same place stand together. */
const scales: readonly (readonly string[])[] = [
  [
    "lowest",
    "very low",
    "low",
    "medium low",
    "medium/mid/middle/moderate/average/normal",
    "medium high",
    "high",
    "very high",
    "highest",
  ],
  ["none", "slight/minor/mild", "moderate/medium", "major/severe/strong", "critical/extreme"],
  ["xxs", "xs", "s", "m", "l", "xl", "xxl/2xl", "xxxl/3xl"],
  ["tiny", "very small", "small", "medium", "large/big", "very large/very big", "huge"],
  [
    "very bad/very poor/terrible",
    "bad/poor",
    "fair",
    "average/ok/okay",
    "good",
    "very good",
    "premium",
    "excellent/great",
    "ideal/perfect",
  ],
  ["strongly disagree", "disagree", "neutral/undecided/neither", "agree", "strongly agree"],
  ["very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"],
  ["never", "rarely/seldom", "sometimes/occasionally", "often/frequently", "usually", "always"],
  ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
  ["freshman", "sophomore", "junior", "senior"],
  ["bronze", "silver", "gold", "platinum", "diamond"],
  ["young", "middle-aged/middle aged", "old"],
];

const places = scales.map(
  (scale) => new Map(scale.flatMap((words, place) => words.split("/").map((word) => [word, place] as const))),
);

/** A word that tells of a number, as a number: "3rd", "18-24", "<5", "65+". Where it says from and to, the smaller. */
const ordinal = /^(\d+)(st|nd|rd|th)( .*)?$/;
const interval = /^[[(]?(\d+(?:\.\d+)?) ?(?:-|–|to|,) ?(\d+(?:\.\d+)?)[\])]?( .*)?$/;
const below = /^(?:<|<=|≤|under |below |up to )\s*(\d+(?:\.\d+)?)( .*)?$/;
const above = /^(?:(?:>|>=|≥|over |above )\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?\+)( .*)?$/;

/** These values from the least to the most, or nothing where words have no order, or do not tell which. */
export function inWordOrder(values: readonly string[]): string[] | undefined {
  // Two have an order as well, but it makes no difference.
  if (values.length < 3) return undefined;
  const words = values.map((value) => value.trim().toLowerCase().replaceAll("_", " "));
  const known = [...places.map((scale) => words.map((word) => scale.get(word))), words.map(numberIn)];
  for (const found of known) {
    if (found.includes(undefined) || new Set(found).size !== found.length) continue;
    return values
      .map((value, i) => ({ value, at: found[i]! }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  }
  return undefined;
}

function numberIn(word: string): number | undefined {
  const least = below.exec(word);
  if (least) return Number(least[1]) - 1e-6;
  const most = above.exec(word);
  if (most) return Number(most[1] ?? most[2]) + 1e-6;
  const found = ordinal.exec(word) ?? interval.exec(word);
  return found ? Number(found[1]) : undefined;
}
