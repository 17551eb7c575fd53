/** How deep values of JSON are inside each other, found byte by byte, as the file is read. */

const [quote, backslash, comma, lineBreak] = [34, 92, 44, 10];
/** With the bit for small letters set, [ is {, and ] is }. */
const [small, opening, closing] = [0x20, 0x7b, 0x7d];

export class JsonDepth {
  /** The deepest so far. */
  most = 0;
  /** Bytes that have been seen. */
  seen = 0;
  /** Of these, where the last value ended that may be a record: by itself, or in a first list. */
  ended = 0;
  #depth = 0;
  #text: "none" | "inside" | "escaped" = "none";
  #whole = 0;
  #inside = 0;

  /**
   * Records that have ended: values one after the other, or those of a first list that has not ended yet and is too
   * long to be one record.
   */
  get records(): number {
    return this.#whole === 0 ? this.#inside : this.#whole;
  }

  see(bytes: Uint8Array): void {
    let [depth, most, text, ended] = [this.#depth, this.most, this.#text, this.ended];
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (text !== "none") {
        if (text === "escaped") text = "inside";
        else if (byte === backslash) text = "escaped";
        else if (byte === quote) text = "none";
      } else if (byte === quote) text = "inside";
      else if ((byte | small) === opening) {
        if (++depth > most) most = depth;
      } else if ((byte | small) === closing) {
        // What closes nothing is no JSON, and hides nothing that comes after it.
        depth = Math.max(0, depth - 1);
        if (depth === 0) this.#whole++;
        else if (depth === 1) this.#inside++;
        if (depth <= 1) ended = this.seen + i;
      } else if (depth <= 1 && (byte === comma || byte === lineBreak)) ended = this.seen + i;
    }
    this.seen += bytes.length;
    [this.#depth, this.most, this.#text, this.ended] = [depth, most, text, ended];
  }
}
