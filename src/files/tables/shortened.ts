/** A text that others wrote, as part of a line of ours. */

export function shortened(text: string, most = 200): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
