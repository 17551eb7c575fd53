/** HTML in which everything that is put in is escaped, unless it is HTML already. */

import { htmlText } from "../../text/htmlText.ts";

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | false | undefined | readonly Part[];

/** html`<p>${name}</p>`: names are text, never tags; `false` and `undefined` are nothing, lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!;
  for (const [i, part] of parts.entries()) text += textOf(part) + strings[i + 1]!;
  return new Markup(text);
}

/** Text that is HTML already, such as a style sheet of our own. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

/** A long name that may be broken after its underscores and dots: flow_l_min. */
export function breakable(name: string): Markup {
  return html`${name.split(/(?<=[_./-])(?=.)/).map((part, i) => (i > 0 ? html`<wbr>${part}` : part))}`;
}

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (part === undefined || part === false) return "";
  return typeof part === "object" ? part.map(textOf).join("") : htmlText(String(part));
}
