/** A text as a literal of Python. */

import { pointEscaped, replaceUnseen } from "./unseen.ts";

export function pythonText(text: string): string {
  return `"${replaceUnseen(text.replace(/[\\"]/g, "\\$&"), pointEscaped)}"`;
}
