/** LZ4 frames, unpacked: what Arrow packs its columns with. */

const magic = 0x184d2204;

/** `size` is what the bytes must unpack to. */
export function unpackLz4(packed: Uint8Array, size: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const need = (at: number, length: number): void => {
    if (at + length > packed.length) throw damaged();
  };
  need(0, 7);
  if (view.getUint32(0, true) !== magic) throw damaged();
  const flags = packed[4]!;
  const [hasSize, hasSums, hasDictionary] = [flags & 8, flags & 16, flags & 1];
  let at = 7 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0);
  const out = new Uint8Array(size);
  let filled = 0;
  for (;;) {
    need(at, 4);
    const head = view.getUint32(at, true);
    at += 4;
    if (head === 0) break;
    const length = head & 0x7fffffff;
    need(at, length);
    const block = packed.subarray(at, at + length);
    if (head >>> 31) {
      if (filled + length > size) throw damaged();
      out.set(block, filled);
      filled += length;
    } else filled = unpackBlock(block, out, filled);
    at += length + (hasSums ? 4 : 0);
  }
  if (filled !== size) throw damaged();
  return out;
}

/** Letters as they are, then a stretch of what came before, again and again; gives where the output ends. */
function unpackBlock(block: Uint8Array, out: Uint8Array, from: number): number {
  let [at, filled] = [0, from];
  const long = (length: number): number => {
    if (length < 15) return length;
    for (let more = 255, sum = length; ; sum += more) {
      if (more !== 255) return sum;
      if (at >= block.length) throw damaged();
      more = block[at++]!;
    }
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = long(token >> 4);
    if (at + literals > block.length || filled + literals > out.length) throw damaged();
    out.set(block.subarray(at, at + literals), filled);
    at += literals;
    filled += literals;
    if (at === block.length) break;
    if (at + 2 > block.length) throw damaged();
    const back = block[at]! | (block[at + 1]! << 8);
    at += 2;
    const length = long(token & 15) + 4;
    if (back === 0 || back > filled || filled + length > out.length) throw damaged();
    // One by one, since it may run into what it has just written.
    for (let i = 0; i < length; i++) out[filled + i] = out[filled + i - back]!;
    filled += length;
  }
  return filled;
}

function damaged(): RangeError {
  return new RangeError("the LZ4 data is damaged or cut short");
}
