/** The page as static files: with it, a tab trains and looks without any server of ours. */

import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  cannotWrite,
  Lock,
  makeFolder,
  removeEmpty,
  removeLeftParts,
  sealedText,
  sha256,
  writeAllWhole,
} from "../../doors/inside.ts";
import { filesIn, listName, ownFiles, pageFormat, versionOf } from "./ownPage.ts";

/** Where the build puts it, seen from the sources and from what is built of them. */
const places = ["../../../tab/", "../../../dist/tab/"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** ONNX Runtime's own files, which come with its package. */
const runtimeFiles = ["ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];
/** Those for WebGPU, which a browser keeps once somebody has trained on it: they are large. */
const gpuFiles = ["ort-wasm-simd-threaded.asyncify.mjs", "ort-wasm-simd-threaded.asyncify.wasm"];

/** Writes the page into a folder that is new, empty, or holds such a page: nothing else is replaced. */
export async function exportPage(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  await ownFiles(folder);
  const files = await pageFiles();
  const made = await makeFolder(folder).catch((error) => {
    throw cannotWrite(folder, error);
  });
  const lock = new Lock(folder);
  try {
    await lock.take();
    const old = await ownFiles(folder);
    const gone = [...old.keys()].filter((name) => !files.has(name) && name !== listName);
    const places = new Set([...files.keys(), ...gone].map((name) => dirname(join(folder, name))));
    for (const place of places) await removeLeftParts(place);
    const list = (also: ReadonlyMap<string, string>): Uint8Array => {
      const hashes = new Map([...also].map(([name, hash]) => [name, [hash]]));
      for (const [name, bytes] of files) hashes.set(name, [...(hashes.get(name) ?? []), sha256(bytes)]);
      return Buffer.from(sealedText({ format: pageFormat }, Object.fromEntries(hashes)));
    };
    // The list comes first and knows old and new: should this process end, the next one knows whose they are.
    const all = new Map([[listName, list(old)], ...files]);
    await writeAllWhole(new Map([...all].map(([name, bytes]) => [join(folder, name), bytes])));
    for (const name of gone) await rm(join(folder, name), { force: true });
    await removeEmpty([...places]);
    if (old.size > 0) await writeAllWhole(new Map([[join(folder, listName), list(new Map())]]));
    return { files: all.size, bytes: [...all.values()].reduce((sum, { length }) => sum + length, 0) };
  } catch (error) {
    throw error instanceof RangeError ? error : cannotWrite(folder, error);
  } finally {
    await lock.release();
    await removeEmpty(made);
  }
}

/** By their names in the folder. The service worker knows all of them, and is another when any of them is. */
async function pageFiles(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const place of places) {
    for (const name of [...(await filesIn(place)).keys()].sort())
      files.set(name, await readFile(join(place, ...name.split("/"))));
    if (files.size > 0) break;
  }
  const offline = files.get("offline.js");
  if (!offline) throw new RangeError("view: the page is not built; run npm run build");
  files.delete("offline.js");
  for (const name of [...runtimeFiles, ...gpuFiles]) {
    const path = fileURLToPath(import.meta.resolve(`onnxruntime-web/${name}`));
    files.set(`runtime/${name}`, await readFile(path));
  }
  const later = gpuFiles.map((name) => `runtime/${name}`);
  const first = ["./", ...files.keys()].filter((name) => !later.includes(name));
  const kept = { version: versionOf(files), files: first, later };
  files.set("offline.js", Buffer.concat([Buffer.from(`const kept = ${JSON.stringify(kept)};\n`), offline]));
  return files;
}
