/** The index of a map's points, made in a thread of its own where there are many. */

import KDBush from "kdbush";
import { indexOf, Picker } from "./picker.ts";

/** So many points are indexed in a few milliseconds; more of them beside the page. */
const few = 50_000;

export async function openPicker(x: ArrayLike<number>, y: ArrayLike<number>): Promise<Picker> {
  if (x.length <= few) return new Picker(indexOf(x, y), x, y);
  // A page that is one file has no worker: then it is made here, in half a second for a million.
  const index = await indexBeside(x, y).catch(() => indexOf(x, y));
  return new Picker(index, x, y);
}

async function indexBeside(x: ArrayLike<number>, y: ArrayLike<number>): Promise<KDBush> {
  const worker = new Worker(new URL("./pickerWorker.ts", import.meta.url), { type: "module" });
  const data = await new Promise<ArrayBuffer>((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => resolve(data as ArrayBuffer));
    worker.addEventListener("error", () => reject(new Error("map: the index of its points must be made")));
    worker.postMessage({ x: Float32Array.from(x), y: Float32Array.from(y) });
  });
  worker.terminate();
  return KDBush.from(data);
}
