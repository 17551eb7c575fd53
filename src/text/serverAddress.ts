/** The address of a server, such as redis://user:password@host:6379/0, in lines for people: never with its password. */

import { oneLine } from "./oneLine.ts";

/** What looks like an address and not like a file. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/** An address that can be taken apart. One with an @ behind its host has a password that ends in the wrong place. */
export function serverAddress(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && url.host !== "" && !`${url.host}${url.pathname}${url.search}${url.hash}`.includes("@")
    ? url
    : undefined;
}

/** An address without its password, for people. */
export function addressWords(address: string): string {
  const url = serverAddress(address);
  if (url) return oneLine(`${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`, 200);
  // Nobody knows where the password ends: nothing is shown of what may belong to it.
  return oneLine(address.slice(address.lastIndexOf("@") + 1), 200);
}

/** What `what` must be, and what it got. */
export function badAddress(address: string, what: string): RangeError {
  const isTorn = !serverAddress(address) && address.includes("@");
  const letters = isTorn ? "; write special letters of a password as %2F for /" : "";
  return new RangeError(`${addressWords(address)}: ${what}${letters}`);
}

/** By what drivers say: what has happened, and what to do. */
const reasons: readonly [RegExp, string][] = [
  [
    /ECONNREFUSED|max retries per request|Connection is closed/,
    "nobody answers there; start the server, or correct the address",
  ],
  [/ENOTFOUND|EAI_AGAIN/, "there is no such host; correct the address"],
  [/ETIMEDOUT|timeout|timed out/i, "it does not answer in time; correct the address, or look at the network"],
  [
    /WRONGPASS|NOAUTH|28P01|28000|password|SASL|authentication|authorization violation/i,
    "the user or the password is wrong; correct the address",
  ],
  [/3D000|does not exist/, "there is no such database; make it, or correct the address"],
];

/** The driver's error in a line, in which no password stands; `what` is what the server is for. */
export function cannotReach(address: string, what: "queue" | "broker", error: Error): Error {
  const codeOf = (each: unknown): string => `${(each as { readonly code?: unknown } | undefined)?.code ?? ""}`;
  const { message, cause } = error;
  const said = `${codeOf(error)} ${message} ${codeOf(cause)}`;
  const why = reasons.find(([pattern]) => pattern.test(said))?.[1] ?? oneLine(message, 200);
  return new Error(`${addressWords(address)}: the ${what} cannot be used: ${why}`);
}
