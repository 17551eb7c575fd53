/**
 * The schema of a Parquet file, as far as it must be known before somebody else reads it: how deep it is. It stands at
 * the beginning of the file's last part, in Thrift's compact protocol: a list of elements, each followed by its
 * children.
 */

/** Types of that protocol. */
const [yes, no, byte, double, binary, list, set, map, struct, uuid] = [1, 2, 3, 7, 8, 9, 10, 11, 12, 13];
/** Bytes of those that always have as many; true and false stand in the field's head. */
const widths: Readonly<Record<number, number>> = { [yes]: 0, [no]: 0, [byte]: 1, [double]: 8, [uuid]: 16 };
/** Values inside values that are skipped: what Thrift allows. */
const deepestSkipped = 64;
/** The fields that matter: of the file, its schema; of an element, how many children it has. */
const [schemaField, childrenField] = [2, 5];

/** How deep columns are inside each other; `footer` is the last part of the file, or its beginning. */
export function parquetDepth(footer: Uint8Array): number {
  const reader = new CompactReader(footer);
  let most = 0;
  for (const { id, type } of reader.fields()) {
    if (id !== schemaField || type !== list) {
      reader.skip(type);
      continue;
    }
    const { size, element } = reader.list();
    if (element !== struct) break;
    // How many children are still to come, of each element that is around the next.
    const open: number[] = [];
    for (let i = 0; i < size; i++) {
      while (open.at(-1) === 0) open.pop();
      if (open.length > 0) open[open.length - 1]!--;
      const children = childrenOf(reader);
      if (children > 0) open.push(children);
      most = Math.max(most, open.length);
    }
    return most;
  }
  throw new RangeError("parquet: the file has no schema");
}

function childrenOf(reader: CompactReader): number {
  let children = 0;
  for (const { id, type } of reader.fields()) {
    if (id === childrenField) children = reader.number();
    else reader.skip(type);
  }
  return children;
}

class CompactReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The fields of a struct, whose values are to be read one by one. */
  *fields(): Generator<{ readonly id: number; readonly type: number }> {
    let id = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      id = head >> 4 === 0 ? this.number() : id + (head >> 4);
      yield { id, type: head & 15 };
    }
  }

  list(): { readonly size: number; readonly element: number } {
    const head = this.#byte();
    return { size: head >> 4 === 15 ? this.#whole() : head >> 4, element: head & 15 };
  }

  /** A number that may be negative: 0, −1, 1, −2, … */
  number(): number {
    const found = this.#whole();
    return found % 2 === 0 ? found / 2 : -(found + 1) / 2;
  }

  skip(type: number, depth = 0): void {
    if (depth > deepestSkipped) throw new RangeError("parquet: the file's last part is nested too deeply");
    const width = widths[type];
    if (width !== undefined) this.#pass(width);
    else if (type === binary) this.#pass(this.#whole());
    else if (type === list || type === set) {
      const { size, element } = this.list();
      for (let i = 0; i < size; i++) this.#skipElement(element, depth);
    } else if (type === map) {
      const size = this.#whole();
      const types = size === 0 ? 0 : this.#byte();
      for (let i = 0; i < size; i++) {
        this.#skipElement(types >> 4, depth);
        this.#skipElement(types & 15, depth);
      }
    } else if (type === struct) {
      for (const { type: inner } of this.fields()) this.skip(inner, depth + 1);
    } else this.#whole();
  }

  /** Inside a list, true and false take a byte. */
  #skipElement(type: number, depth: number): void {
    if (type === yes || type === no) this.#pass(1);
    else this.skip(type, depth + 1);
  }

  /** Seven bits in each byte, the smallest first. */
  #whole(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const next = this.#byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
      factor *= 128;
    }
  }

  #byte(): number {
    this.#pass(1);
    return this.#bytes[this.#at - 1]!;
  }

  #pass(length: number): void {
    this.#at += length;
    if (!(this.#at <= this.#bytes.length)) throw new RangeError("parquet: the file's last part is cut short");
  }
}
