/** The scripts and the style sheet of a page, as texts that stand inside of it. */

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { earlyScript, mapScript, pageScript, style } from "../../src/report/inlined.ts";
import { reportPage } from "../../src/report/reportPage.ts";
import { sample } from "./sample.ts";

const script = fileURLToPath(new URL("../../scripts/inline.mjs", import.meta.url));
const { checkInlinable, compactStyle } = (await import(script)) as {
  checkInlinable(name: string, text: string): void;
  compactStyle(text: string): string;
};

test("a text that would end its element is refused when building, however it is written", () => {
  for (const text of ['say("</script>")', "a</STYLE >b", "x <!-- y"]) {
    expect(() => checkInlinable("page.ts", text)).toThrow(/^inline: page.ts must not contain <[/!]/);
  }
  expect(() => checkInlinable("page.ts", "if (a < b && c > d) /script/.test(e)")).not.toThrow();
});

test("the page holds each text whole, and nothing in one of them ends it", () => {
  const page = reportPage(sample());
  const inside = [...page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(([, , text]) => text);
  expect(inside).toEqual([earlyScript, style, pageScript, mapScript]);
});

test("scripts keep their names to themselves", () => {
  for (const text of [earlyScript, pageScript, mapScript]) {
    expect(text).toMatch(/^\(function\(\)\{[\s\S]*\}\)\(\);$/);
    expect(text).not.toMatch(/\bimport\b|\bexport\b|sourceMappingURL/);
  }
});

test("the style sheet is one text in which the order of what it says is kept", () => {
  expect(style).not.toMatch(/@import|\/\*/);
  // `font` sets back what `font-variant-numeric` says if it comes later.
  const [body] = /body\{margin:0[^}]*\}/.exec(style)!;
  expect(body.indexOf("font-variant-numeric")).toBeGreaterThan(body.indexOf("font:"));
  expect(style.indexOf("@media print")).toBeGreaterThan(style.indexOf(".card{"));
});

test("white space that means something stays", () => {
  const text = `/* A comment */
a:hover > b ,
.c .d {
  width: calc(100% + 5px);
  font: 1rem / 1.6 "Two Words", serif;
}
`;
  expect(compactStyle(text)).toBe('a:hover > b,.c .d{width:calc(100% + 5px);font:1rem / 1.6 "Two Words",serif}');
});
