/** Text for terminals, and for whatever is read line by line: names in it break no line and command nothing. */

import { replaceUnseen } from "./unseen.ts";

/** One line. Controls and breaks become a space; what else nobody sees becomes �: two names that differ look so. */
export function terminalText(text: string): string {
  return replaceUnseen(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "), () => "\ufffd");
}

/** Lines of ours, each of which may have taken in something of others. */
export function terminalLines(text: string): string {
  return text.split("\n").map(terminalText).join("\n");
}
