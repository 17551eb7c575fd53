/**
 * XML as office programs write it, a piece at a time: elements, attributes, text. Whoever declares entities of their
 * own is refused, since one line of them can unfold to gigabytes.
 */

export type XmlEvent =
  | { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** In letters: a cell has 32,767 at most. */
const longestPart = 2 ** 20;

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export class XmlReader {
  #rest = "";

  /** What more text brings; what is not whole waits for the next. */
  *read(more: string): Generator<XmlEvent> {
    const text = this.#rest + more;
    let at = 0;
    for (;;) {
      const next = text.indexOf("<", at);
      if (next < 0) break;
      if (next > at) yield { kind: "text", text: unfolded(text.slice(at, next)) };
      at = next;
      const end = endOf(text, at);
      if (end < 0) break;
      yield* eventsOf(text.slice(at, end));
      at = end;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > longestPart)
      throw new RangeError(`XML must have no part of more than ${longestPart} letters`);
  }

  /** Refuses what ends in the middle. */
  end(): void {
    if (this.#rest.trim() !== "") throw new RangeError("XML is cut short");
  }
}

/** Where what begins here ends, or −1 where that is still to come. */
function endOf(text: string, from: number): number {
  const until = (mark: string): number => {
    const found = text.indexOf(mark, from + 2);
    return found < 0 ? -1 : found + mark.length;
  };
  if (text.startsWith("<!--", from)) return until("-->");
  if (text.startsWith("<![CDATA[", from)) return until("]]>");
  if (text.startsWith("<?", from)) return until("?>");
  // Whether it is one of those may not be known yet.
  if (text.startsWith("<!", from) && text.length < from + 9) return -1;
  let quote = "";
  for (let at = from + 1; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== "") {
      if (letter === quote) quote = "";
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === ">") return at + 1;
  }
  return -1;
}

function* eventsOf(part: string): Generator<XmlEvent> {
  if (part.startsWith("<?") || part.startsWith("<!--")) return;
  if (part.startsWith("<![CDATA[")) {
    yield { kind: "text", text: part.slice(9, -3) };
    return;
  }
  if (part.startsWith("<!")) throw new RangeError("XML must not declare entities or types of its own");
  const isEnd = part.startsWith("</");
  const isEmpty = part.endsWith("/>");
  const inside = part.slice(isEnd ? 2 : 1, isEmpty ? -2 : -1);
  const [full = ""] = /^[^\s/]*/.exec(inside) ?? [];
  const name = local(full);
  if (!isEnd) yield { kind: "open", name, attributes: attributesIn(inside.slice(full.length)) };
  if (isEnd || isEmpty) yield { kind: "close", name };
}

const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function attributesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name, double, single] of text.matchAll(attribute)) {
    found.set(local(name!), unfolded(double ?? single ?? ""));
  }
  return found;
}

/** Without the prefix of a namespace. */
function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function unfolded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
