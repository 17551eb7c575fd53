/** The server that handed out the page, asked by the table of routes. */

import { addressOf } from "../../api/address.ts";
import type { ServerEvent } from "../../api/fits.ts";
import { type Answer, type RouteName, routes } from "../../api/routes.ts";
import { type Asked, arrays, type Numbers, Refusal, type Source } from "./source.ts";

const events = [
  "runs",
  "sweeps",
  "fit",
  "epoch",
  "frame",
  "curation",
] as const satisfies readonly ServerEvent["kind"][];

async function answerOf(route: RouteName, { path, query, body, signal }: Asked<RouteName>): Promise<Response> {
  const bytes: unknown = body;
  const init: RequestInit = { method: routes[route].method, credentials: "same-origin", signal: signal ?? null };
  if (bytes instanceof Blob) {
    init.body = bytes;
    init.headers = { "Content-Type": "application/octet-stream" };
  } else if (bytes !== undefined) {
    init.body = JSON.stringify(bytes);
    init.headers = { "Content-Type": "application/json" };
  }
  const response = await fetch(addressOf(route, path, query), init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refusal("the server does not answer: is `telltale view` still running?", 0);
  });
  if (response.ok) return response;
  const said = (await response.json().catch(() => undefined)) as { problem?: string } | undefined;
  throw new Refusal(said?.problem ?? `the server answered ${response.status}`, response.status);
}

export const serverSource: Source = {
  kind: "server",
  async ask<N extends RouteName>(route: N, asked: Asked<N> = {}): Promise<Answer<N>> {
    const response = await answerOf(route, asked as Asked<RouteName>);
    return (response.status === 204 ? undefined : await response.json()) as Answer<N>;
  },
  async numbers(route, asked = {}): Promise<Numbers> {
    const response = await answerOf(route, asked);
    const type = (response.headers.get("X-Telltale-Type") ?? "uint8") as keyof typeof arrays;
    return new arrays[type](await response.arrayBuffer());
  },
  picture: (route, path, version = 0) => addressOf(route, path, version > 0 ? { version } : {}),
  async file(route, asked) {
    const response = await answerOf(route, asked as Asked<RouteName>);
    const [, name = "rows"] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
    return { name, content: await response.blob() };
  },
  async upload([file, ...others]) {
    if (!file || others.length > 0) {
      throw new Refusal("drop one file at a time; a folder of pictures is named on the command line", 400);
    }
    // Letters of a name that mean something elsewhere are left out.
    const name = file.name.replaceAll(/[^\p{L}\p{N} ._-]/gu, "_").replace(/^[^\p{L}\p{N}_]+/u, "_");
    const response = await answerOf("upload", { query: { name: name.slice(-120) }, body: file as never });
    return (await response.json()) as Answer<"upload">;
  },
  listen(onEvent, onLost, onGap) {
    let stream: EventSource | undefined;
    // What was asked for before anybody saw the tab may be old.
    let hadGap = document.visibilityState === "hidden";
    const begin = (): EventSource => {
      const begun = new EventSource(routes.events.path);
      for (const kind of events) {
        begun.addEventListener(kind, ({ data }) => {
          onLost(false);
          onEvent(JSON.parse(data as string) as ServerEvent);
        });
      }
      begun.addEventListener("open", () => {
        onLost(false);
        if (hadGap) onGap();
        hadGap = false;
      });
      begun.addEventListener("error", () => onLost(true));
      return begun;
    };
    // A browser opens six connections to a server for all tabs together, and a stream is one of them: tabs that nobody
    // sees have none.
    const follow = (): void => {
      if (document.visibilityState !== "hidden") stream ??= begin();
      else if (stream) {
        stream.close();
        stream = undefined;
        hadGap = true;
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stream?.close();
    };
  },
};

/**
 * The token of the address becomes a cookie, and is then in no address any more; also that of a server that was started
 * again, where its address is opened in a page that is open.
 */
export async function beginSession(): Promise<void> {
  const tokenHere = (): string | null => new URLSearchParams(location.hash.slice(1)).get("token");
  addEventListener("hashchange", () => {
    if (tokenHere()) location.reload();
  });
  const token = tokenHere();
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  await serverSource.ask("session", { body: { token } as never });
}
