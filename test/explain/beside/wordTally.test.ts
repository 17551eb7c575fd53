import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../src/explain/beside/wordsOf.ts";
import { areForms, WordTally } from "../../../src/explain/beside/wordTally.ts";

describe("the words of a text", () => {
  it("are runs of letters, lower-cased, without numbers and function words", () => {
    expect(wordsOf("The 3 Quick-brown_foxes don't JUMP over x2 it's 'Ätzend' file_07.png")).toEqual([
      ...["quick", "brown", "foxes", "jump", "ätzend", "file", "png"],
    ]);
    expect(wordsOf("12 34 !? a")).toEqual([]);
  });

  it("are of any script, and divided where a script has no spaces", () => {
    expect(wordsOf("Москва и Ἀθῆναι, القاهرة")).toEqual(["москва", "ἀθῆναι", "القاهرة"]);
    expect(wordsOf("机器学习 and 深度学习")).toEqual(["机器", "学习", "深度", "学习"]);
  });

  it("are the same however their accents are written, and not endless", () => {
    expect(wordsOf("cafe\u0301")).toEqual(wordsOf("café"));
    expect(wordsOf(`${"x".repeat(31)} ${"y".repeat(30)}`)).toEqual(["y".repeat(30)]);
    expect(wordsOf("word ".repeat(1e6)).length).toBeLessThanOrEqual(2000);
  });
});

describe("class-wise TF-IDF", () => {
  /** Two clusters of four texts each. */
  const tally = new WordTally(2);
  for (const text of ["red red coin", "red coin", "red gold", "red coin"]) tally.add(0, text);
  for (const text of ["blue coin", "blue sky", "blue sky", "blue coin coin"]) tally.add(1, text);

  it("is tf · log(1 + A/f)", () => {
    // Cluster 0 has 9 words, cluster 1 has 9: A = 9. "red" is 5 of the 9, and 5 of all.
    const [red, ...others] = tally.telling(0);
    expect(others).toEqual([]);
    expect(red).toEqual({ word: "red", here: 1, there: 0, score: (5 / 9) * Math.log(1 + 9 / 5) });
    expect(tally.telling(1)).toEqual([{ word: "blue", here: 1, there: 0, score: (4 / 9) * Math.log(1 + 9 / 4) }]);
  });

  it("leaves out what is as common elsewhere, what one text has, and what may be chance", () => {
    // "coin" is in 3 of 4 texts here and in 2 of 4 there; "gold" in one; "sky" in 2 of 4 and in none: p = 1/4,
    // deviation √(3/16/4 · 4/7) = 0.16, and 0.25 above is 1.5 of it.
    const words = [...tally.telling(0), ...tally.telling(1)].map(({ word }) => word);
    expect(words).toEqual(["red", "blue"]);
  });

  it("of one cluster knows no elsewhere", () => {
    const one = new WordTally(1);
    for (const text of ["sun sun", "sun moon", "moon"]) one.add(0, text);
    expect(one.telling(0)).toEqual([
      { word: "sun", here: 2 / 3, score: (3 / 5) * Math.log(1 + 5 / 3) },
      { word: "moon", here: 2 / 3, score: (2 / 5) * Math.log(1 + 5 / 2) },
    ]);
  });

  it("says one form of a word", () => {
    expect(areForms("file", "files") && areForms("parsing", "parse") && areForms("return", "returned")).toBe(true);
    expect(areForms("car", "card") || areForms("car", "carpet") || areForms("is", "iss")).toBe(false);
  });

  it("keeps no more words than it may, and those that come again and again", () => {
    const bounded = new WordTally(2, 100);
    const letters = (n: number): string => [...String(n)].map((digit) => "qwertzuiop"[Number(digit)]).join("");
    for (let i = 0; i < 5000; i++) bounded.add(i % 2, `${i % 2 ? "even" : "odd"} aa${letters(i)}`);
    expect(bounded.telling(0).map(({ word, here }) => [word, here])).toEqual([["odd", 1]]);
    expect(bounded.size).toBeLessThanOrEqual(101);
  });
});
