/**
 * The service worker of the static page: keeps all its files, and hands them out with the headers that `telltale view`
 * would send. Workers get a policy of their own, which lets WebAssembly in and nothing out.
 */

import { workerPolicy } from "./workerPolicy.ts";

/**
 * The files, those that are kept once they were asked for, and a name that changes with any of them: written in front
 * by the export.
 */
declare const kept: { readonly version: string; readonly files: readonly string[]; readonly later: readonly string[] };

interface Waits extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetches extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
declare const registration: { readonly scope: string };
declare const clients: { claim(): Promise<void> };
declare function skipWaiting(): Promise<void>;

// Another page of ours may lie elsewhere on the same host, in another version.
const prefix = `telltale-page ${registration.scope} `;
const name = `${prefix}${kept.version}`;
addEventListener("install", (event) => {
  const work = async (): Promise<void> => {
    const cache = await caches.open(name);
    // Anew from the network: the browser may have kept an older one.
    await cache.addAll(kept.files.map((file) => new Request(new URL(file, registration.scope), { cache: "reload" })));
    await skipWaiting();
  };
  (event as Waits).waitUntil(work());
});

addEventListener("activate", (event) => {
  const work = async (): Promise<void> => {
    const old = (await caches.keys()).filter((each) => each.startsWith(prefix) && each !== name);
    await Promise.all(old.map((each) => caches.delete(each)));
    await clients.claim();
  };
  (event as Waits).waitUntil(work());
});

addEventListener("fetch", (event) => {
  const { request } = event as Fetches;
  // What else lies below the page's folder is not ours to answer.
  const { origin, pathname } = new URL(request.url);
  if (request.method === "GET" && ours.has(`${origin}${pathname}`)) (event as Fetches).respondWith(answered(request));
});

const addresses = (files: readonly string[]): ReadonlySet<string> =>
  new Set(files.map((file) => new URL(file, registration.scope).href));
const later = addresses(kept.later);
const ours = new Set([...addresses(kept.files), ...later]);

async function answered(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  const cache = await caches.open(name);
  const address = `${origin}${pathname}`;
  const found = (await cache.match(address)) ?? (await fetch(request));
  if (found.ok && later.has(address)) await cache.put(address, found.clone());
  const headers = new Headers(found.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("X-Content-Type-Options", "nosniff");
  // The page has a policy of its own, which is stricter.
  if (/\.m?js$/.test(pathname)) headers.set("Content-Security-Policy", workerPolicy(pathname));
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
