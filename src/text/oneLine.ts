/** A text that others wrote, as part of a line of ours: its breaks are spaces, and beyond so many letters it is cut. */
export function oneLine(text: string, most = 200): string {
  const line = text
    .slice(0, 4 * most)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const letters = [...line];
  return letters.length <= most
    ? line
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
