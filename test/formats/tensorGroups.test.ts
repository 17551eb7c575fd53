import { describe, expect, it } from "vitest";
import { decodeSafetensors, encodeSafetensors } from "../../src/formats/safetensors.ts";
import { decodeTensorGroups, encodeTensorGroups, type FileKind } from "../../src/formats/tensorGroups.ts";
import { fromNumbers, type Tensor } from "../../src/tensor/tensor.ts";

const kind: FileKind = { format: "telltale test", version: 2, value: "state" };
const [a, b] = [fromNumbers("float32", [2], [1, 2]), fromNumbers("int32", [1], [3])];

describe("groups of tensors and a value", () => {
  it("are a safetensors file, in which a tensor has its group before its name", () => {
    const value = { epoch: 3, names: ["x"] };
    const file = encodeTensorGroups(kind, value, { now: new Map([["w/0", a]]), labels: b, none: undefined });
    const { tensors, metadata } = decodeSafetensors(file);
    expect(tensors).toEqual(
      new Map<string, Tensor>([
        ["now/w/0", a],
        ["labels", b],
      ]),
    );
    expect(metadata).toEqual({ format: "telltale test", version: "2", state: JSON.stringify(value) });
  });

  it("are the same once they are read, each group its own", () => {
    const file = encodeTensorGroups(kind, [1, null], { kept: new Map([["w", a]]), "kept labels": b });
    const { value, group, alone } = decodeTensorGroups(kind, file);
    expect(value).toEqual([1, null]);
    expect(group("kept")).toEqual(new Map([["w", a]]));
    expect(group("state")).toEqual(new Map());
    expect(alone("kept labels")).toEqual(b);
    expect(alone("labels")).toBeUndefined();
  });

  it("of another kind, of a newer version or without a value are refused", () => {
    const file = encodeTensorGroups(kind, 1, {});
    expect(() => decodeTensorGroups({ ...kind, format: "telltale stream" }, file)).toThrow(
      "state: the file must be a telltale stream, got telltale test",
    );
    expect(() => decodeTensorGroups({ ...kind, version: 1 }, file)).toThrow(
      "state: the file is of version 2, of a newer Telltale; this one reads up to 1",
    );
    expect(() => decodeTensorGroups(kind, encodeSafetensors(new Map([["a", a]])))).toThrow(
      "state: the file must be a telltale test, got a file without a format",
    );
    expect(() => decodeTensorGroups({ ...kind, value: "other" }, file)).toThrow(
      "other: the metadata of a telltale test must have it, got none",
    );
  });
});
