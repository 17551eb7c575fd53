/** A whole HTML document that opens anywhere and asks nobody for anything. */

import { htmlText } from "./htmlText.ts";

interface Document {
  readonly title: string;
  /** What it may load and run, as a content security policy. */
  readonly policy: string;
  /** Of Telltale. */
  readonly version: string;
  /** HTML already: styles and scripts, and what is seen. */
  readonly head: string;
  readonly body: string;
}

export function htmlDocument({ title, policy, version, head, body }: Document): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${htmlText(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Telltale ${htmlText(version)}">
<title>${htmlText(title)} – Telltale</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
