/** Which Telltale this is. */

import { createRequire } from "node:module";

export const version: string = createRequire(import.meta.url)("telltale/package.json").version;
