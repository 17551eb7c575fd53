/**
 * CIFAR-10 and CIFAR-100 in their binary version: records of fixed length, one or two label bytes before 3 × 32 × 32
 * pixels, channel by channel. (The Python version is pickles, which run what they say.)
 */

export const pixels = 3 * 32 * 32;

export interface Pictures {
  /** [n, 3, 32, 32] of 0 to 255. */
  readonly images: Uint8Array;
  readonly labels: Int32Array;
}

/** A batch of CIFAR-10: a label, then the picture. */
export function decodeCifar10(file: string, bytes: Uint8Array): Pictures {
  return decode(file, bytes, [10], ([label]) => label);
}

/** The pictures of one superclass of CIFAR-100, from 0, labelled by its five classes in their order. */
export function decodeSuperclass(file: string, bytes: Uint8Array, superclass: number): Pictures {
  const { images, labels } = decode(file, bytes, [20, 100], ([coarse, fine]) =>
    coarse === superclass ? fine : undefined,
  );
  const own = [...new Set(labels)].sort((a, b) => a - b);
  return { images, labels: labels.map((label) => own.indexOf(label)) };
}

export function joined(parts: readonly Pictures[]): Pictures {
  const images = new Uint8Array(parts.reduce((sum, part) => sum + part.images.length, 0));
  let at = 0;
  for (const part of parts) {
    images.set(part.images, at);
    at += part.images.length;
  }
  return { images, labels: Int32Array.from(parts.flatMap((part) => [...part.labels])) };
}

/** Records that `labelOf` has no label for are left out. */
function decode(
  file: string,
  bytes: Uint8Array,
  classes: readonly number[],
  labelOf: (labels: readonly number[]) => number | undefined,
): Pictures {
  const long = classes.length + pixels;
  if (bytes.length === 0 || bytes.length % long !== 0) {
    throw new RangeError(
      `${file}: must be records of ${long} bytes each (the binary version of CIFAR), it has ${bytes.length} bytes`,
    );
  }
  const taken: number[] = [];
  const labels: number[] = [];
  for (let record = 0; record < bytes.length / long; record++) {
    const said = classes.map((count, i) => {
      const label = bytes[record * long + i]!;
      if (label >= count) {
        throw new RangeError(`${file}: record ${record} must have a label from 0 to ${count - 1}, it has ${label}`);
      }
      return label;
    });
    const label = labelOf(said);
    if (label === undefined) continue;
    taken.push(record);
    labels.push(label);
  }
  const images = new Uint8Array(taken.length * pixels);
  taken.forEach((record, i) => {
    const from = record * long + classes.length;
    images.set(bytes.subarray(from, from + pixels), i * pixels);
  });
  return { images, labels: Int32Array.from(labels) };
}
