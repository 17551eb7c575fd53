/** The words of a text. */

import { longestText } from "../../data/beside.ts";
import { stopWords } from "./stopWords.ts";

const run = /[\p{L}\p{M}]+/gu;
/** Scripts that put no space between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** In letters. */
const [shortest, longest] = [2, 30];

let segmenter: Intl.Segmenter | undefined;

/**
 * Runs of letters, lower-cased: numbers and signs divide them. Function words of English, single letters and what is
 * too long for a word are left out. Where a script has no spaces, Unicode's rules and dictionaries divide it.
 */
export function wordsOf(text: string): string[] {
  const lower = text.slice(0, longestText).normalize("NFC").toLowerCase();
  return (lower.match(run) ?? []).flatMap((found) => (unspaced.test(found) ? divided(found) : [found])).filter(isWord);
}

function divided(found: string): string[] {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  return Array.from(segmenter.segment(found), ({ segment }) => segment);
}

function isWord(word: string): boolean {
  return word.length >= shortest && word.length <= longest && !stopWords.has(word);
}
