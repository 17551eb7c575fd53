/** JSON that may stand anywhere: in a script element, in a program, on a terminal. It is read as the same value. */

import { halvesEscaped, replaceUnseen } from "./unseen.ts";

export function jsonText(value: unknown): string {
  // <!--, <script and </script need their first character; all it can be in is a text.
  return replaceUnseen(JSON.stringify(value) ?? "null", halvesEscaped).replaceAll("<", "\\u003c");
}
