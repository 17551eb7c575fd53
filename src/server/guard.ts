/**
 * The one guard before all routing: what it does not let pass is refused, whatever the method and whatever the route. A
 * page of another origin can neither read nor write, a name that was bound to this machine leads nowhere, and no path
 * has two meanings.
 */

import type { IncomingMessage } from "node:http";
import { Refused } from "./refused.ts";

export interface GuardSettings {
  /** What `Host` may say, to the letter, name and port, of a request that came in at this address of the machine. */
  readonly hosts: (address: string | undefined) => readonly string[];
  /** Paths that are there before anybody has a session: the page itself, the same for everybody. */
  readonly isOpen: (method: string, path: string) => boolean;
  /** The one path that takes bytes and not JSON. */
  readonly takesBytes: (path: string) => boolean;
  readonly hasSession: (cookies: string | undefined) => boolean;
}

type Headers = Pick<IncomingMessage, "headers" | "headersDistinct" | "method" | "url" | "socket">;

/** Letters of an address. */
const longest = 2048;
/** Path and query, in letters that mean themselves. */
const plain = /^\/[\x21-\x7e]*$/;
/** Two slashes, backslashes, dots that lead upwards, and the same or a NUL in disguise. */
const tricks = /\/\/|\\|\/\.|%2f|%5c|%2e|%00|#/i;

/** Throws what is wrong with a request, before anything looks at what it wants. */
export function guard(request: Headers, settings: GuardSettings): void {
  const { method = "", url = "" } = request;
  if (method !== "GET" && method !== "HEAD" && method !== "POST")
    throw new Refused(405, "only GET and POST are answered");
  if (url.length > longest || !plain.test(url)) throw new Refused(400, "the address is none of this server");
  const [path = ""] = url.split("?");
  if (tricks.test(path)) throw new Refused(400, "the address has parts that could mean something else");
  const host = alone(request, "host");
  if (host === undefined || !settings.hosts(request.socket.localAddress).includes(host)) {
    throw new Refused(
      421,
      "the request is for another host than this server is: open an address that telltale view has printed",
    );
  }
  if (request.headers.upgrade !== undefined) throw new Refused(400, "nothing is upgraded here");
  const isChange = method === "POST";
  checkOrigin(request, host, isChange);
  if (isChange) checkContent(request, settings.takesBytes(path));
  if (!settings.isOpen(method, path) && !settings.hasSession(request.headers.cookie)) {
    throw new Refused(401, "no session: open the address that telltale view has printed, with its token");
  }
}

/** Of a browser: from this page itself, or typed by the person. Whatever changes something says where it is from. */
function checkOrigin(request: Headers, host: string, isChange: boolean): void {
  const site = alone(request, "sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && (isChange || site !== "none")) {
    throw new Refused(403, "the request is from another site");
  }
  const origin = alone(request, "origin");
  if (origin === undefined ? isChange : origin !== `http://${host}`) {
    throw new Refused(
      403,
      isChange ? "what changes something must say this origin" : "the request is from another origin",
    );
  }
}

/** Nothing that a form could send. */
function checkContent(request: Headers, isBytes: boolean): void {
  const wanted = isBytes ? "application/octet-stream" : "application/json";
  const [type = ""] = (alone(request, "content-type") ?? "").toLowerCase().split(";");
  if (type.trim() !== wanted) throw new Refused(415, `the content must be ${wanted}`);
  if (request.headers["content-encoding"] !== undefined) throw new Refused(415, "the content must not be packed");
}

/** A header that is there once; twice is a trick. */
function alone({ headersDistinct }: Headers, name: string): string | undefined {
  const values = headersDistinct[name];
  if (values && values.length > 1) throw new Refused(400, `the header ${name} is there twice`);
  return values?.[0];
}
