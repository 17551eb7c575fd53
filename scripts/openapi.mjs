/** docs/api/openapi.json: what the server of `telltale view` answers, as a file; --check: whether it is still so. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openapi } from "../dist/src/server/openapi.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = `${root}docs/api/openapi.json`;
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const text = `${JSON.stringify(openapi(version), null, 2)}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== text) {
    console.error("docs/api/openapi.json is not what the schemas say; write it again with npm run openapi");
    process.exit(1);
  }
} else {
  mkdirSync(`${root}docs/api`, { recursive: true });
  writeFileSync(file, text);
}
