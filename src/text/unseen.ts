/** Characters that nobody sees, and that change what others see: some command a terminal, some turn text around. */

/** Scripts and pictures whose parts are joined, or kept apart, by U+200D and U+200C: 👩‍👧, می‌خواهم. */
const joined =
  "\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}\\p{M}" +
  ["Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu"]
    .concat(["Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan"])
    .map((script) => `\\p{Script=${script}}`)
    .join("");

/**
 * Controls (C0, DEL, C1), halves of pairs, line and paragraph separators, fillers, what turns the direction of text,
 * what has no width (but where a script needs it), interlinear marks, and tags.
 */
const unseen =
  "[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f" +
  "\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]" +
  `|(?<![${joined}])[\\u200c\\u200d]|[\\u200c\\u200d](?![${joined}])`;

const one = new RegExp(unseen, "u");
const every = new RegExp(unseen, "gu");

export function hasUnseen(text: string): boolean {
  return one.test(text);
}

/** The same text with something else for each of them. */
export function replaceUnseen(text: string, by: (character: string) => string): string {
  return text.replace(every, by);
}

/** \u001b, as JSON, JavaScript and Spark read it: each half of a pair by itself. */
export function halvesEscaped(character: string): string {
  const halves = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return halves.map((half) => `\\u${half.toString(16).padStart(4, "0")}`).join("");
}

/** \u001b or \U000e0041, as Python and BigQuery read it: a pair is one character. */
export function pointEscaped(character: string): string {
  const point = character.codePointAt(0)!;
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : halvesEscaped(character);
}
