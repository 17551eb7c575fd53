/** Flatbuffers that others wrote, read where they lie: every place is looked at before it is read. */

/** A table: fields by their number, each of which may be absent. */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #fields: number;
  readonly #count: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#fields = at - checked(view, at, 4).getInt32(at, true);
    const size = checked(view, this.#fields, 4).getUint16(this.#fields, true);
    checked(view, this.#fields, size);
    this.#count = (size - 4) >> 1;
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, checked(view, 0, 4).getUint32(0, true));
  }

  byte(field: number, otherwise = 0): number {
    const at = this.#place(field);
    return at === 0 ? otherwise : checked(this.#view, at, 1).getUint8(at);
  }

  short(field: number, otherwise = 0): number {
    const at = this.#place(field);
    return at === 0 ? otherwise : checked(this.#view, at, 2).getInt16(at, true);
  }

  int(field: number, otherwise = 0): number {
    const at = this.#place(field);
    return at === 0 ? otherwise : checked(this.#view, at, 4).getInt32(at, true);
  }

  /** A number of 64 bits, which must be one that JavaScript counts exactly. */
  long(field: number): number {
    const at = this.#place(field);
    return at === 0 ? 0 : longAt(this.#view, at);
  }

  text(field: number): string {
    const at = this.#place(field);
    if (at === 0) return "";
    const { first, length } = this.#vector(at, 1);
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + first, length));
  }

  table(field: number): FlatTable | undefined {
    const at = this.#place(field);
    return at === 0 ? undefined : new FlatTable(this.#view, this.#follow(at));
  }

  /** Made one by one, as somebody asks for them. */
  *tables(field: number): Generator<FlatTable> {
    const at = this.#place(field);
    if (at === 0) return;
    const { first, length } = this.#vector(at, 4);
    for (let i = 0; i < length; i++) yield new FlatTable(this.#view, this.#follow(first + 4 * i));
  }

  /** Structs of so many numbers of 64 bits. */
  longs(field: number, each: number): number[][] {
    const at = this.#place(field);
    if (at === 0) return [];
    const { first, length } = this.#vector(at, 8 * each);
    return Array.from({ length }, (_, i) =>
      Array.from({ length: each }, (_, j) => longAt(this.#view, first + 8 * (each * i + j))),
    );
  }

  /** Where a field is; 0 where it is absent. */
  #place(field: number): number {
    if (field >= this.#count) return 0;
    const offset = this.#view.getUint16(this.#fields + 4 + 2 * field, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  #follow(at: number): number {
    return at + checked(this.#view, at, 4).getUint32(at, true);
  }

  #vector(at: number, width: number): { first: number; length: number } {
    const start = this.#follow(at);
    const length = checked(this.#view, start, 4).getUint32(start, true);
    checked(this.#view, start + 4, length * width);
    return { first: start + 4, length };
  }
}

function longAt(view: DataView, at: number): number {
  const value = Number(checked(view, at, 8).getBigInt64(at, true));
  if (!Number.isSafeInteger(value)) throw damaged();
  return value;
}

function checked(view: DataView, at: number, length: number): DataView {
  if (at >= 0 && at + length <= view.byteLength) return view;
  throw damaged();
}

function damaged(): RangeError {
  return new RangeError("its description is damaged or cut short");
}
