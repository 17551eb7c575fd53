/** Names in text for people: on a terminal, and in Markdown. */

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { markdownCode, markdownText } from "../../src/text/markdownText.ts";
import { terminalLines, terminalText } from "../../src/text/terminalText.ts";
import { anyName } from "./names.ts";

describe("on a terminal", () => {
  const commanding =
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

  it("a name is one line that commands nothing", () => {
    fc.assert(fc.property(anyName, (text) => void expect(terminalText(text)).not.toMatch(commanding)));
    fc.assert(
      fc.property(fc.array(anyName), (texts) => {
        const lines = terminalLines(texts.map((text) => text.replaceAll("\n", "")).join("\n")).split("\n");
        expect(lines.length).toBe(Math.max(1, texts.length));
        for (const line of lines) expect(line).not.toMatch(commanding);
      }),
    );
  });

  it("people's own letters stay, whatever script they are in", () => {
    for (const text of [
      "größe 1–2",
      "Ångström",
      "価格（円）",
      "שלום",
      "می‌خواهم",
      "क्‍ष",
      "👩‍👧‍👦 👍🏽 🇨🇭",
      "ﬁ",
      "a  b",
    ]) {
      expect(terminalText(text)).toBe(text);
    }
  });

  it("what nobody sees is seen to be there", () => {
    expect(terminalText("pri\u200bce")).toBe("pri\ufffdce");
    expect(terminalText("gnp\u202egpj.exe")).toBe("gnp\ufffdgpj.exe");
    expect(terminalText("a\u200db")).toBe("a\ufffdb");
    expect(terminalText("red\u001b[31m\r\nnext\u009b2J")).toBe("red [31m next 2J");
  });
});

describe("in Markdown", () => {
  it("a name is text: every mark is escaped, and a line stays a line", () => {
    fc.assert(
      fc.property(anyName, (text) => {
        const escaped = markdownText(text);
        const left = escaped.replaceAll(/\\[!-/:-@[-`{-~]/g, "x");
        expect(left).not.toMatch(/[`*_[\]<>#|&~\\$@\n\r]|https?:|www\.|^\s*[-+=]|^\s*\d+[.)](\s|$)/i);
      }),
    );
  });

  it("is read as what it was, but for spaces and what nobody sees", () => {
    fc.assert(
      fc.property(anyName, (text) => {
        const read = markdownText(text).replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
        expect(read.trimStart()).toBe(terminalText(text).replaceAll(/ {2,}/g, " ").trimStart());
      }),
    );
  });

  it("code ends where it ends", () => {
    fc.assert(
      fc.property(anyName, (text) => {
        const span = markdownCode(text);
        const [, fence] = /^(`+)/.exec(span)!;
        const inside = span.slice(fence!.length, -fence!.length);
        expect(span.endsWith(fence!)).toBe(true);
        // No run of as many ` stands inside.
        expect((inside.match(/`+/g) ?? []).map((ticks) => ticks.length)).not.toContain(fence!.length);
        expect(/^`|`$/.test(inside)).toBe(false);
        const isPadded = /^ .*[^ ].* $/.test(inside);
        expect(isPadded ? inside.slice(1, -1) : inside).toBe(terminalText(text) || " ");
      }),
    );
  });

  test("as it is read aloud", () => {
    expect(markdownText("high price (EUR), 3.5 % more-or-less")).toBe("high price (EUR), 3.5 % more-or-less");
    expect(markdownText("https://evil.example [x](y) www.a.b")).toBe("https\\://evil.example \\[x\\](y) www\\.a.b");
    expect(markdownText("_https://x.y_www.x.y")).toBe("\\_https\\://x.y\\_www\\.x.y");
    expect(markdownCode("a`b")).toBe("``a`b``");
    expect(markdownCode("`")).toBe("`` ` ``");
  });
});
