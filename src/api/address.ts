/** A question as an address: what is asked for, and by what an answer that was written down is found again. */

import { type RouteName, routes } from "./routes.ts";

/** What stands in the braces of a route's path, and what follows its question mark. */
export type Words = Readonly<Record<string, string | number>>;

export function addressOf(route: RouteName, path: Words = {}, query: Words = {}): string {
  const filled = routes[route].path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const asked = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  );
  return asked.size > 0 ? `${filled}?${asked}` : filled;
}
