/** Names as strangers write them. */

import fc from "fast-check";

/** What means something to one language or another, and what nobody sees. */
const marks = [
  ...[
    "'",
    '"',
    "`",
    "\\",
    "$",
    "${",
    "$(",
    "{}",
    "%",
    "%s",
    "&",
    "&&",
    ";",
    "--",
    "/*",
    "*/",
    "//",
    "#",
    "?",
    ":param",
  ],
  ...["$1", "=", "+", "-", "@", "[", "]", "(", ")", "<", ">", "|", "~", "!", "*", "_", ".", ",", " ", "  ", "\t", "\n"],
  ...["\r", "\r\n", "\u0000", "\u0007", "\u001b[31m", "\u001b]0;x\u0007", "\u007f", "\u0085", "\u009b1m", "\u00ad"],
  ...["\u2028", "\u2029", "\u200b", "\u200d", "\u202e", "\u2066", "\u2069", "\ufeff", "\u{e0041}", "\\n", "\\x41"],
  ...["\\u0041", "\\'", "''", '""', '"""', "'''", "``", "```", "</script>", "<!--", "]]>", "&lt;", "&#10;", "ё", "е"],
  ...["👩‍👧", "größe", "https://x.y", "www.x.y", "a@b.c", "[a](b)", "<b>", "1.", "- ", "# ", "***", "NULL", "OFFSET"],
];

/** Any text, made of such marks and of anything. */
export const name = fc
  .array(fc.oneof(fc.constantFrom(...marks), fc.string({ unit: "binary", maxLength: 4 }), fc.string({ maxLength: 4 })))
  .map((parts) => parts.join(""));

/** With halves of pairs too, which are no text at all. */
export const anyName = fc.oneof(
  name,
  name.map((text) => `${text}\ud800x`),
);
