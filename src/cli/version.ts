/** The version of this package, from its package.json: asked for without loading the engine. */

import { createRequire } from "node:module";

export const version: string = createRequire(import.meta.url)("telltale/package.json").version;
