/** What is wrong with a built site: addresses that lead nowhere, and anything that another host would be asked for. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A sentence for each. */
export function faultsIn(site) {
  const files = readdirSync(site, { recursive: true }).filter((name) => statSync(join(site, name)).isFile());
  const pages = new Map(
    files.filter((name) => name.endsWith(".html")).map((name) => [name, readFileSync(join(site, name), "utf8")]),
  );
  const styles = files.filter((name) => name.endsWith(".css"));
  return [
    ...[...pages].flatMap(([name, page]) => [...deadLinks(site, name, page, pages), ...asked(name, page)]),
    ...styles.flatMap((name) => askedByStyle(name, readFileSync(join(site, name), "utf8"))),
  ];
}

/** Addresses on the page that are neither a file of the site nor a heading of a page of it. */
function deadLinks(site, name, page, pages) {
  const dead = [];
  for (const [, , address] of page.matchAll(/<(a|img|link|script)\b[^>]*?\b(?:href|src)="([^"]*)"/g)) {
    if (/^(https?:|mailto:|data:)/.test(address)) continue;
    const [path, heading] = decodeURIComponent(address.replaceAll("&amp;", "&")).split("#");
    const target =
      path === "" ? join(site, name) : path.startsWith("/") ? join(site, path) : resolve(site, dirname(name), path);
    const file = [target, `${target}.html`, join(target, "index.html")].find(
      (each) => existsSync(each) && statSync(each).isFile(),
    );
    if (!file) dead.push(`${name}: ${address} leads nowhere`);
    else if (heading && file.endsWith(".html")) {
      const other = pages.get(file.slice(site.length + 1)) ?? "";
      if (!other.includes(`id="${heading}"`)) dead.push(`${name}: ${address} names no heading`);
    }
  }
  return [...new Set(dead)];
}

/** Whatever a browser would fetch by itself: everything but links that a person follows. */
function asked(name, page) {
  const loaded = [
    ...page.matchAll(/<(?!a\b)\w+\b[^>]*?\b(?:href|src|srcset|action|data|poster)="((?:https?:)?\/\/[^"]*)"/g),
  ];
  const scripts = [...page.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].filter(([, code]) =>
    /https?:\/\//.test(code),
  );
  const policy = page.includes("Content-Security-Policy") ? [] : [`${name}: has no policy that keeps it to itself`];
  return [
    ...loaded.map(([, address]) => `${name}: asks ${address}`),
    ...scripts.map(() => `${name}: has a script that names another host`),
    ...policy,
  ];
}

function askedByStyle(name, style) {
  return [...style.matchAll(/(?:url\(|@import)\s*["']?((?:https?:)?\/\/[^"')]+)/g)].map(
    ([, address]) => `${name}: asks ${address}`,
  );
}
