/** Text for terminals, and for whatever is read line by line: names in it break no line and command nothing. */

import { replaceUnseen } from "./unseen.ts";

/** One line. Breaks and tabs become a space; what nobody sees becomes �, so that two names that differ look so. */
export function terminalText(text: string): string {
  return replaceUnseen(text.replace(/[\t-\r\u0085\u2028\u2029]+/g, " "), () => "\ufffd");
}

/** Lines of ours, each of which may have taken in something of others. */
export function terminalLines(text: string): string {
  return text.split("\n").map(terminalText).join("\n");
}
