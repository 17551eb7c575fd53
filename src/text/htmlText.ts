/** Text in HTML, between tags or in a quoted attribute: never markup, and nothing that turns its direction. */

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function htmlText(text: string): string {
  return text.replace(
    // Controls but tab and line breaks are no HTML.
    /[&<>"']|(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu,
    (character) => entities[character] ?? "\ufffd",
  );
}
