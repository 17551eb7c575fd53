/** Text inside a line of Markdown, as GitHub reads it: no markup, no link, no HTML, no line break, no end of a cell. */

import { terminalText } from "./terminalText.ts";

export function markdownText(text: string): string {
  return (
    terminalText(text)
      .replace(/ {2,}/g, " ")
      .replace(/[\\`*_[\]<>#|&~$@]/g, "\\$&")
      // Addresses become links by themselves, also behind another mark, such as _.
      .replace(/(https?|ftp|mailto|xmpp):/gi, "$1\\:")
      .replace(/www\./gi, (found) => found.replace(".", "\\."))
      // What begins a list or underlines a title.
      .replace(/^\s*([-+=])/, "\\$1")
      .replace(/^\s*(\d+)([.)])(?=\s|$)/, "$1\\$2")
  );
}

/** As it is, between as many ` as there are none of in it. */
export function markdownCode(text: string): string {
  const line = terminalText(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  // One space on each side is taken off again, where not all is space.
  const room = /^`|`$|^ .*\S.* $/.test(line) || line === "" ? " " : "";
  return `${fence}${room}${line}${line === "" ? "" : room}${fence}`;
}
