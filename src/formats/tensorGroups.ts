/**
 * Named groups of tensors and a JSON value in one safetensors file, whose tensors anybody can read: "group/name" is a
 * tensor of a group, "name" one that stands alone; the value and what kind of file it is stand in the metadata.
 */

import type { Tensor } from "../tensor/tensor.ts";
import { parseJson } from "./json.ts";
import { decodeSafetensors, encodeSafetensors } from "./safetensors.ts";

/** A kind of file. */
export interface FileKind {
  /** What the file says it is. */
  readonly format: string;
  /** Raised when an older Telltale could not read what is written; not written where there is only one. */
  readonly version?: number;
  /** The name of the JSON value in the metadata. */
  readonly value: string;
}

/** Groups, and tensors that stand alone, by name; what is undefined is not written. */
export type TensorGroups = Readonly<Record<string, ReadonlyMap<string, Tensor> | Tensor | undefined>>;

export function encodeTensorGroups(kind: FileKind, value: unknown, groups: TensorGroups): Uint8Array {
  const { format, version } = kind;
  const tensors = Object.entries(groups).flatMap(([name, group]): [string, Tensor][] => {
    if (!group) return [];
    return "dtype" in group ? [[name, group]] : [...group].map(([own, tensor]) => [`${name}/${own}`, tensor]);
  });
  return encodeSafetensors(new Map(tensors), {
    format,
    ...(version !== undefined && { version: String(version) }),
    [kind.value]: JSON.stringify(value),
  });
}

/** What such a file holds. */
export interface DecodedGroups {
  /** The JSON value, as it was written. */
  readonly value: unknown;
  /** The tensors of a group; none where it has none. */
  group(name: string): Map<string, Tensor>;
  /** A tensor that stands alone. */
  alone(name: string): Tensor | undefined;
}

export function decodeTensorGroups(kind: FileKind, bytes: Uint8Array): DecodedGroups {
  const { tensors, metadata } = decodeSafetensors(bytes);
  const { [kind.value]: json, format = "a file without a format", version } = metadata;
  if (format !== kind.format) throw new TypeError(`${kind.value}: the file must be a ${kind.format}, got ${format}`);
  if (kind.version !== undefined && !(Number(version) <= kind.version)) {
    throw new TypeError(
      `${kind.value}: the file is of version ${version}, of a newer Telltale; this one reads up to ${kind.version}`,
    );
  }
  if (json === undefined) throw new TypeError(`${kind.value}: the metadata of a ${format} must have it, got none`);
  return {
    value: parsed(kind, json),
    group: (name) => {
      const own = [...tensors].filter(([full]) => full.startsWith(`${name}/`));
      return new Map(own.map(([full, tensor]) => [full.slice(name.length + 1), tensor]));
    },
    alone: (name) => tensors.get(name),
  };
}

function parsed(kind: FileKind, json: string): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    throw new TypeError(`${kind.value}: must be JSON (${(error as Error).message})`);
  }
}
