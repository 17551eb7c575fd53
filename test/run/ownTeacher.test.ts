import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeNpy } from "../../src/formats/npy.ts";
import { methodOf } from "../../src/methods/methodOf.ts";
import {
  checkLessons,
  lessonOptions,
  ownTeacher,
  storedTeacher,
  teacherFile,
} from "../../src/run/fitting/ownTeacher.ts";
import { RunFolder } from "../../src/run/folder/runFolder.ts";
import type { RunDescription } from "../../src/run/folder/schemas/runDescription.ts";
import { fromNumbers } from "../../src/tensor/tensor.ts";
import { folder, write } from "../files/folder.ts";

const telltale = methodOf("telltale");

describe("who teaches", () => {
  test("a name of ours is a teacher, also where a file has it; the file is then ./kmeans", async () => {
    await write("kmeans", "1\n2\n");
    expect(await ownTeacher("rows.csv", telltale, "kmeans")).toBeUndefined();
    expect(lessonOptions(telltale, { teacher: "kmeans", effort: "quick" })).toEqual({
      taughtBy: "kmeans",
      effort: "quick",
    });
    const file = join(folder, "kmeans");
    expect(await ownTeacher("rows.csv", telltale, file)).toEqual({ kind: "file", file });
    expect(lessonOptions(telltale, { teacher: file })).toEqual({});
  });

  test("density says itself how many clusters there are, and teaches by its labels; a file of that name may", () => {
    expect(() => checkLessons(telltale, { teacher: "density", clusters: 3 })).toThrow(/teaches by its labels: write/);
    expect(() => checkLessons(telltale, { teacher: "density" })).toThrow(/telltale\/teachers/);
    expect(checkLessons(telltale, { teacher: "column:density" })).toBeUndefined();
    expect(checkLessons(telltale, { teacher: "./density" })).toBeUndefined();
  });

  test("a file, a column of a file, a column of the rows", async () => {
    const [rows, file] = [await write("rows.csv", "a,b\n1,2\n"), await write("labels.csv", "b\n1\n")];
    expect(await ownTeacher(rows, telltale, file)).toEqual({ kind: "file", file });
    expect(await ownTeacher(rows, telltale, `${file}:b`)).toEqual({ kind: "file", file, column: "b" });
    expect(await ownTeacher(rows, telltale, "b")).toEqual({ kind: "column", column: "b" });
    expect(await ownTeacher(rows, telltale, "column:kmeans")).toEqual({ kind: "column", column: "kmeans" });
    // The rows' own file: what teaches is then one of their columns, and never a feature.
    expect(await ownTeacher(rows, telltale, `${rows}:b`)).toEqual({ kind: "column", column: "b" });
    await expect(ownTeacher(rows, telltale, rows)).rejects.toThrow(/holds the rows themselves/);
    const colon = await write("with:colon.csv", "b\n1\n");
    expect(await ownTeacher(rows, telltale, colon)).toEqual({ kind: "file", file: colon });
  });
});

describe("teacher.npy of a folder that may come from anybody", () => {
  const path = join(folder, "run");
  const names = ["x", "y"];
  const description = {
    settings: { teacher: { from: "y.csv", names } },
    source: { rows: 3 },
  } as unknown as RunDescription;
  const stored = () => storedTeacher(new RunFolder(path), description);

  test("is read as it was written", async () => {
    await mkdir(path, { recursive: true });
    const labels = Int32Array.of(1, -1, 0);
    await write("run/teacher.npy", teacherFile({ labels, names }));
    expect(await stored()).toEqual({ labels, names });
  });

  test.each([
    ["of fewer rows", encodeNpy(fromNumbers("int32", [2], [0, 1]))],
    ["of more axes", encodeNpy(fromNumbers("int32", [3, 1], [0, 1, 0]))],
    ["of other numbers", encodeNpy(fromNumbers("float64", [3], [0, 1, 0]))],
    ["of clusters without a name", encodeNpy(fromNumbers("int32", [3], [0, 1, 2]))],
    ["of clusters below none", encodeNpy(fromNumbers("int32", [3], [0, 1, -2]))],
    ["that is cut off", teacherFile({ labels: Int32Array.of(1, 0, 1), names }).slice(0, -1)],
    ["that is something else", new TextEncoder().encode("labels")],
  ])("%s is called damaged", async (_, bytes) => {
    await write("run/teacher.npy", bytes);
    await expect(stored()).rejects.toThrow(/the run is damaged: teacher\.npy cannot be read/);
  });

  test("and one that is gone too", async () => {
    await rm(join(path, "teacher.npy"));
    await expect(stored()).rejects.toThrow(/the run is damaged: teacher\.npy is missing/);
  });
});
