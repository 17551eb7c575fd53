/** ONNX bytes as messages: measured first, so that a small file does not become very many objects. */

import { type DescField, type DescMessage, fromBinary, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type ModelProto, ModelProtoSchema } from "onnx-buf";

/** Messages within messages: as many as ONNX Runtime takes. */
const deepest = 100;
/** What the messages may take as objects, in bytes. Weights as raw bytes are not copied, and cost nothing. */
const mostMemory = 2 ** 30;
/** What one of each takes, roughly. */
const costOf = { message: 800, value: 160, number: 8, integer: 32 } as const;
/** Protobuf's own bound. */
const mostBytes = 2 ** 31 - 1;

/** The model, or nothing where the bytes are none, or would not fit. */
export function parsed(bytes: Uint8Array): ModelProto | undefined {
  if (bytes.length > mostBytes || isFlat(bytes)) return undefined;
  try {
    new Measure(bytes).measure(ModelProtoSchema, bytes.length, 0);
    const model = fromBinary(ModelProtoSchema, bytes, { recursionLimit: deepest });
    return model.graph ? model : undefined;
  } catch {
    // Whatever protobuf found wrong, people can only do one thing about it.
    return undefined;
  }
}

/** ONNX Runtime would take such bytes for its own format, whatever they are as ONNX. */
function isFlat(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(4, 8)) === "ORTM";
}

/** Goes over the bytes as protobuf does, and makes nothing of them. */
class Measure {
  readonly #reader: BinaryReader;
  readonly #bytes: Uint8Array;
  #memory = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#reader = new BinaryReader(bytes);
  }

  measure(message: DescMessage, end: number, depth: number): void {
    if (depth > deepest) throw new RangeError("too deep");
    this.#spend(costOf.message);
    const reader = this.#reader;
    const fields = fieldsOf(message);
    while (reader.pos < end) {
      const [number, type] = reader.tag();
      const field = fields.get(number);
      if (!field || type !== WireType.LengthDelimited) {
        this.#spend(costOf.value);
        reader.skip(type, number);
        continue;
      }
      const until = reader.uint32() + reader.pos;
      if (until > end) throw new RangeError("cut short");
      if (field.message) this.measure(field.message, until, depth + 1);
      else this.#spend(costOf.value + this.#packed(field, reader.pos, until));
      reader.pos = until;
    }
  }

  /** What numbers that stand side by side become. */
  #packed(field: DescField, from: number, until: number): number {
    if (field.fieldKind !== "list" || field.listKind !== "scalar") return 0;
    const { scalar } = field;
    if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) return 0;
    if (scalar === ScalarType.FLOAT) return ((until - from) / 4) * costOf.number;
    if (scalar === ScalarType.DOUBLE) return ((until - from) / 8) * costOf.number;
    let count = 0;
    // The last byte of each integer has no continuation bit.
    for (let i = from; i < until; i++) if (this.#bytes[i]! < 0x80) count++;
    return count * (scalar === ScalarType.INT32 ? costOf.number : costOf.integer);
  }

  #spend(memory: number): void {
    this.#memory += memory;
    if (this.#memory > mostMemory) throw new RangeError("too many messages");
  }
}

const known = new Map<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsOf(message: DescMessage): ReadonlyMap<number, DescField> {
  let fields = known.get(message);
  if (!fields) {
    fields = new Map(message.fields.map((field) => [field.number, field]));
    known.set(message, fields);
  }
  return fields;
}
