/** A hostile input: files in a folder of their own, the words after `telltale` that lead there, and what is around. */

import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { normalized } from "./samples.ts";

/** What lies at a path. The small forms keep stored cases readable: half a gigabyte of line breaks is one line. */
export type Content =
  | string
  | Uint8Array
  | { readonly base64: string }
  | { readonly gzip: Content }
  /** Texts in Latin-1, each so many times. */
  | { readonly repeat: readonly (readonly [string, number])[] }
  /** So many zero bytes, of which the disk stores none. */
  | { readonly sparse: number }
  /** JSON of a sample with other values at some of its paths, such as result.map.shown. */
  | { readonly sample: string; readonly set: Readonly<Record<string, unknown>> }
  | { readonly link: string }
  | { readonly fifo: true }
  | { readonly folder: true }
  /** A device of the system by its numbers: 1, 7 is /dev/full. */
  | { readonly device: readonly [number, number] }
  | { readonly gone: true };

/** What a command may write: a path in its folder, with what is below it. */
export interface Written {
  readonly path: string;
  /** What is there already may be replaced (--force). */
  readonly replaces?: boolean;
  /** Also every path that begins with these letters. */
  readonly prefix?: boolean;
}

/** What a process has around it; only a command of its own can be given these. */
export interface Around {
  /** Variables of the environment; null takes one away. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Most open files, and most kilobytes of a file. */
  readonly limits?: { readonly files?: number; readonly fileKilobytes?: number };
  /** A folder on a disk of so many kilobytes, or on one that is only read. */
  readonly disk?: { readonly path: string; readonly kilobytes?: number; readonly readOnly?: boolean };
  /** A file that is read as standard input. */
  readonly stdin?: string;
  /** Standard output goes to /dev/full. */
  readonly fullOutput?: boolean;
  /** The same command twice at the same time. */
  readonly twice?: boolean;
  /** Milliseconds after which Ctrl-C comes. */
  readonly interruptAfter?: number;
}

export interface Input {
  readonly what: string;
  readonly seed?: number;
  /** What lies in the working folder before `files` do: names of samples. */
  readonly samples: readonly string[];
  /** By path in the working folder. */
  readonly files: Readonly<Record<string, Content>>;
  /** `@/` stands for the working folder. */
  readonly words: readonly string[];
  readonly writes: readonly Written[];
  /** In megabytes, what was said with --memory. */
  readonly memory?: number;
  readonly around?: Around;
  /** What a stored case wants besides: how the command ends, what it says, what is there afterwards. */
  readonly expect?: { readonly code?: readonly number[]; readonly says?: string };
}

/** What has surroundings needs a process of its own; the rest is tried inside one that takes many. */
export function isForCommand({ around }: Input): boolean {
  return around !== undefined;
}

/** Where an input lies: the working folder, and beside it what nobody may touch. */
export interface Place {
  readonly root: string;
  readonly work: string;
  readonly home: string;
  readonly temporary: string;
}

const canary = "This file is somebody's own.\n";

/** Lays an input out in a new folder, with canaries around it. */
export async function laidOut(input: Input, root: string, samples: string): Promise<Place> {
  const place = { root, work: join(root, "work"), home: join(root, "home"), temporary: join(root, "temporary") };
  for (const folder of [place.work, place.home, place.temporary, join(root, "outside")]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "canary.txt"), canary);
  }
  await writeFile(join(root, "canary.txt"), canary);
  await writeFile(join(root, "outside", "secret.csv"), "a,b\n1,2\n3,4\n");
  if (input.around?.disk) await mountDisk(place, input.around.disk);
  for (const name of input.samples) await cp(join(samples, name), join(place.work, name), { recursive: true });
  for (const [name, content] of Object.entries(input.files)) {
    await put(join(place.work, name), content, { place, samples });
  }
  return place;
}

async function put(path: string, content: Content, where: { place: Place; samples: string }): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { recursive: true, force: true });
  const isForm = typeof content === "object" && !(content instanceof Uint8Array);
  if (!isForm || "base64" in content || "gzip" in content || "repeat" in content || "sample" in content) {
    const bytes = await bytesOf(content as Content, where.samples);
    // A run says where its rows are: in the folder it lies in now.
    const isRun = path.endsWith("run.json") && Buffer.from(bytes).includes(working);
    await writeFile(path, isRun ? named(bytes, where.place.work) : bytes);
  } else if ("link" in content) await symlink(content.link.replaceAll(working, `${where.place.work}/`), path);
  else if ("fifo" in content) execFileSync("mkfifo", [path]);
  else if ("folder" in content) await mkdir(path);
  else if ("device" in content) execFileSync("mknod", [path, "c", ...content.device.map(String)]);
  else if ("sparse" in content) {
    await writeFile(path, "");
    await truncate(path, content.sparse);
  }
}

const working = "@/";

function named(bytes: Uint8Array, work: string): Buffer {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(working, `${work}/`), "latin1");
}

/** The words with the working folder in them. */
export function wordsIn({ words }: Input, { work }: Place): string[] {
  return words.map((word) => word.replaceAll(working, `${work}/`));
}

/** The bytes of a content that has some. */
async function bytesOf(content: Content, samples: string): Promise<Uint8Array> {
  if (typeof content === "string") return Buffer.from(content);
  if (content instanceof Uint8Array) return content;
  if ("base64" in content) return Buffer.from(content.base64, "base64");
  if ("gzip" in content) return gzipSync(await bytesOf(content.gzip, samples));
  if ("repeat" in content)
    return Buffer.concat(content.repeat.map(([text, times]) => Buffer.alloc(text.length * times, text, "latin1")));
  if ("sample" in content) {
    const json = JSON.parse(Buffer.from(await normalized(samples, content.sample)).toString());
    for (const [path, value] of Object.entries(content.set)) setAt(json, path.split("."), value);
    return Buffer.from(JSON.stringify(json, null, 2));
  }
  throw new TypeError("hostile: this content has no bytes");
}

/** Puts a value at a path of an object; null takes away what is there. */
function setAt(object: Record<string, unknown>, [first, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === null) delete object[first!];
    else object[first!] = value;
  } else {
    object[first!] ??= {};
    setAt(object[first!] as Record<string, unknown>, rest, value);
  }
}

type Disk = NonNullable<Around["disk"]>;

async function mountDisk({ work }: Place, { path, kilobytes, readOnly }: Disk): Promise<void> {
  const folder = join(work, path);
  await mkdir(folder, { recursive: true });
  if (kilobytes !== undefined) execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder]);
  // Permissions hold everybody but root, for whom it takes a disk.
  if (readOnly && !canMount) await chmod(folder, 0o555);
  else if (readOnly) execFileSync("mount", ["--bind", "-o", "ro", folder, folder]);
}

/** Takes everything away again. */
export async function cleared(input: Input, { root, work }: Place): Promise<void> {
  const disk = input.around?.disk;
  if (disk && canMount) execFileSync("umount", ["-l", join(work, disk.path)], { stdio: "ignore" });
  else if (disk) await chmod(join(work, disk.path), 0o755);
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Whether small disks can be made here. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** The folders and files by whose names an input is laid out, so that it can be stored. */
export function asJson(input: Input): string {
  const files = Object.fromEntries(Object.entries(input.files).map(([name, content]) => [name, storable(content)]));
  return `${JSON.stringify({ ...input, files }, null, 2)}\n`;
}

function storable(content: Content): Content {
  if (!(content instanceof Uint8Array)) return content;
  const bytes = Buffer.from(content);
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : { base64: bytes.toString("base64") };
}
