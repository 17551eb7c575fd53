/** Answers out of this tab: no server is asked, and nothing leaves the machine. */

import type { ServerEvent } from "../../api/fits.ts";
import type { Binary, FileReply } from "../../api/handlers.ts";
import type { RouteName } from "../../api/routes.ts";
import { type Asked, type Numbers, Refusal, type Source } from "../source/source.ts";
import type { FromAnswering, ToAnswering } from "./messages.ts";

/** Pictures whose addresses are kept. */
const mostPictures = 600;

export function tabSource(): Source {
  const worker = new Worker(new URL("./askingWorker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, { resolve(reply: unknown): void; reject(error: Error): void }>();
  const listeners = new Set<(event: ServerEvent) => void>();
  const pictures = new Map<string, Promise<string>>();
  let last = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<FromAnswering>) => {
    if (data.kind === "event") {
      for (const listener of listeners) listener(data.event);
      return;
    }
    const asker = waiting.get(data.number);
    waiting.delete(data.number);
    if (data.kind === "answer") asker?.resolve(data.reply);
    else asker?.reject(new Refusal(data.problem, data.status));
  });
  const say = (asked: ToAnswering["asked"], signal?: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const number = ++last;
      waiting.set(number, { resolve, reject });
      signal?.addEventListener("abort", () => {
        waiting.delete(number);
        reject(new DOMException("nobody waits for it any more", "AbortError"));
      });
      worker.postMessage({ number, asked } satisfies ToAnswering);
    });
  const ask = (route: RouteName, { path = {}, query = {}, body, signal }: Asked<RouteName> = {}): Promise<unknown> =>
    say({ route, path, query, body }, signal);
  return {
    kind: "tab",
    ask: (route, asked) => ask(route, asked as Asked<RouteName>) as never,
    numbers: async (route, asked) => ((await ask(route, asked)) as Binary).numbers as Numbers,
    picture(route, path, version = 0) {
      const key = JSON.stringify([route, path, version]);
      const known = pictures.get(key);
      if (known) return known;
      const [oldest] = pictures.size >= mostPictures ? pictures.keys() : [];
      if (oldest !== undefined) {
        void pictures.get(oldest)!.then((address) => URL.revokeObjectURL(address));
        pictures.delete(oldest);
      }
      const made = ask(route, { path }).then((bytes) =>
        URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" })),
      );
      pictures.set(key, made);
      made.catch(() => pictures.delete(key));
      return made;
    },
    async file(route, asked) {
      const { bytes, type, name } = (await ask(route, asked as Asked<RouteName>)) as FileReply;
      return { name, content: new Blob([bytes as Uint8Array<ArrayBuffer>], { type }) };
    },
    upload: async (files) => (await say({ files: [...files] })) as never,
    listen(onEvent) {
      listeners.add(onEvent);
      return () => listeners.delete(onEvent);
    },
  };
}
