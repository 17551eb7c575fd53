/**
 * A text as one word of a POSIX shell (sh, bash, zsh, fish): for commands that people copy. Windows' cmd has other
 * rules, and is not meant; its PowerShell takes what needs no ' inside.
 */

import { hasUnseen, replaceUnseen } from "./unseen.ts";

/** No word can hold a NUL: it is left out. */
export function shellText(text: string): string {
  const word = text.replaceAll("\0", "");
  if (/^[\w./:@%+,-]+$/.test(word)) return word;
  // What is printed is one line without controls; a shell takes line breaks off the end of what a command says.
  return hasUnseen(word) && !word.endsWith("\n") ? said(word) : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path: one that begins with - is no option. */
export function shellPath(path: string): string {
  return shellText(path.startsWith("-") ? `./${path}` : path);
}

/** By printf, which knows bytes by their octal numbers. */
function said(word: string): string {
  const octal = (character: string): string =>
    Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const format = word.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("'", "\\047").replace(/^-/, "\\055");
  return `"$(printf '${replaceUnseen(format, octal)}')"`;
}
