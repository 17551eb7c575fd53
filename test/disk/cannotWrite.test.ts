/** What the system refuses, in words. */

import { expect, it } from "vitest";
import { cannotWrite, inWords, saysCannotWrite } from "../../src/disk/cannotWrite.ts";
import { cannotRead } from "../../src/disk/regularFile.ts";

const codes = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "ENOENT", "ENOTDIR", "EMFILE", "EIO", "EFBIG", "ELOOP"];

it.each(codes)("%s is told as what has happened and what to do", (code) => {
  const error = Object.assign(new Error(`${code}: raw`), { code, syscall: "write", path: "/somewhere" });
  expect(cannotWrite("out.csv", error).message).toMatch(/^out\.csv: cannot be written \([a-z ,-]+\); [a-z ,()-]+$/);
  if (code === "ENOENT") expect(inWords(code, "/somewhere")).toBe("/somewhere: there is no such file or folder");
  else expect(inWords(code, "/somewhere")).toMatch(/^\/somewhere: cannot be used \([a-z ,-]+\); [a-z ,()-]+$/);
});

it("also where another program tells it in its own words, and only once", () => {
  const error = new Error('IO Error: Could not write file "x.part": No space left on device');
  const told = cannotWrite("out.parquet", error);
  expect(told.message).toBe("out.parquet: cannot be written (the disk is full); make room, or choose another place");
  expect(cannotWrite("run", told)).toBe(told);
});

it("what is no code of the system has no words here", () => {
  expect(inWords("ERR_INVALID_ARG_TYPE", "/somewhere")).toBeUndefined();
  expect(inWords("constructor", "/somewhere")).toBeUndefined();
});

it("what cannot be read says nothing about the place where something is written", () => {
  const system = (code: string) => Object.assign(new Error(`${code}: raw`), { code });
  for (const code of ["ENOENT", "EACCES", "EIO"]) {
    expect(saysCannotWrite(cannotRead("rows.csv", system(code)))).toBe(false);
    expect(saysCannotWrite(new RangeError("no rows", { cause: cannotRead("rows.csv", system(code)) }))).toBe(false);
    expect(saysCannotWrite(cannotWrite("runs/one", system(code)))).toBe(true);
  }
  expect(saysCannotWrite(system("ENOENT"))).toBe(false);
  expect(saysCannotWrite(new Error("kept", { cause: system("ENOSPC") }))).toBe(true);
});
