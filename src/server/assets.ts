/** The page's own files: read once, listed in memory, and handed out by exact path. No request ever names a file. */

import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** Whether its name tells its content, so that it never changes. */
  readonly isLasting: boolean;
}

export type Assets = ReadonlyMap<string, Asset>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** Where the build puts the page, seen from the sources and from what is built of them. */
const places = ["../../page/", "../../dist/page/"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** What there is to hand out; without a built page, one that says how to ask the server. */
export async function readAssets(): Promise<Assets> {
  for (const folder of places) {
    const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = names.filter((entry) => entry.isFile() && Object.hasOwn(types, extname(entry.name)));
    const found = await Promise.all(
      files.map(async (entry): Promise<[string, Asset]> => {
        const file = join(entry.parentPath, entry.name);
        const path = `/${relative(folder, file).split(sep).join("/")}`;
        const isLasting = /-[\w-]{8}\.\w+$/.test(entry.name);
        return [path, { bytes: await readFile(file), type: types[extname(entry.name)]!, isLasting }];
      }),
    );
    const assets = new Map(found);
    const index = assets.get("/index.html");
    if (index) return new Map([...assets, ["/", index]]);
  }
  const bare = { bytes: new TextEncoder().encode(withoutPage), type: types[".html"]!, isLasting: false };
  return new Map([["/", bare]]);
}

const withoutPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Telltale</title>
<p>The server runs. The page is not built; scripts can ask: <a href="/api/openapi.json">what there is</a>.</p>
</html>
`;
