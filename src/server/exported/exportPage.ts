/** The page as static files: with it, a tab trains and looks without any server of ours. */

import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { cannotWrite, isThere, readRegular, writeAllWhole } from "../../doors/inside.ts";

/** What says that a folder is such a page: its own files, by their names. */
const listName = "telltale-page.json";
/** The largest list that is read. */
const mostListed = 2 ** 20;

/** Where the build puts it, seen from the sources and from what is built of them. */
const places = ["../../../tab/", "../../../dist/tab/"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** ONNX Runtime's own files, which come with its package. */
const runtimeFiles = ["ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];
/** Those for WebGPU, which a browser keeps once somebody has trained on it: they are large. */
const gpuFiles = ["ort-wasm-simd-threaded.asyncify.mjs", "ort-wasm-simd-threaded.asyncify.wasm"];

/** Writes the page into a folder that is new, empty, or holds such a page: nothing else is replaced. */
export async function exportPage(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const old = await ownFiles(folder);
  const files = await pageFiles();
  const names = [...files.keys()];
  const list = { format: "telltale page", files: names };
  const content = new Map([...files, [listName, Buffer.from(`${JSON.stringify(list, null, 1)}\n`)]]);
  try {
    await writeAllWhole(new Map([...content].map(([name, bytes]) => [join(folder, ...name.split("/")), bytes])));
    for (const name of old) if (!content.has(name)) await rm(join(folder, ...name.split("/")), { force: true });
  } catch (error) {
    throw cannotWrite(folder, error);
  }
  return { files: content.size, bytes: [...content.values()].reduce((sum, { length }) => sum + length, 0) };
}

/** The files of the page that is there; refused where there is anything else. */
async function ownFiles(folder: string): Promise<readonly string[]> {
  const there = await filesIn(folder);
  if (there.length === 0) return [];
  const foreign = (name: string): RangeError =>
    new RangeError(
      `${folder}: has files that are none of such a page (${name}), so that it is not replaced; choose another folder`,
    );
  if (!(await isThere(join(folder, listName)))) throw foreign(there[0]!);
  const text = Buffer.from(await readRegular(join(folder, listName), mostListed)).toString();
  const known = new Set([...listedIn(text), listName]);
  const other = there.find((name) => !known.has(name));
  if (other !== undefined) throw foreign(other);
  return there;
}

function listedIn(text: string): readonly string[] {
  try {
    const { format, files } = JSON.parse(text) as { format?: unknown; files?: unknown };
    return format === "telltale page" && Array.isArray(files) ? files.map(String) : [];
  } catch {
    return [];
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw cannotWrite(folder, error);
    },
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** By their names in the folder. The service worker knows all of them, and is another when any of them is. */
async function pageFiles(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const place of places) {
    for (const name of (await filesIn(place)).sort()) files.set(name, await readFile(join(place, ...name.split("/"))));
    if (files.size > 0) break;
  }
  const offline = files.get("offline.js");
  if (!offline) throw new RangeError("view: the page is not built; run npm run build");
  files.delete("offline.js");
  for (const name of [...runtimeFiles, ...gpuFiles]) {
    const path = fileURLToPath(import.meta.resolve(`onnxruntime-web/${name}`));
    files.set(`runtime/${name}`, await readFile(path));
  }
  const hash = createHash("sha256");
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  const later = gpuFiles.map((name) => `runtime/${name}`);
  const first = ["./", ...files.keys()].filter((name) => !later.includes(name));
  const kept = { version: hash.digest("hex").slice(0, 16), files: first, later };
  files.set("offline.js", Buffer.concat([Buffer.from(`const kept = ${JSON.stringify(kept)};\n`), offline]));
  return files;
}
