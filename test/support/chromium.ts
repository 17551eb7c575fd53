/** A Chromium for the browser tests. */

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const usual = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The machine's own Chromium or Chrome (CHROMIUM says where), or the one that comes as an npm package. */
export async function launchChromium(...args: readonly string[]): Promise<Browser> {
  const own = process.env.CHROMIUM ?? usual.find((path) => existsSync(path));
  return chromium.launch({ executablePath: own || (await packagedChromium()), args: ["--no-sandbox", ...args] });
}

async function packagedChromium(): Promise<string> {
  // The package unpacks the libraries that a bare Linux lacks (NSS) only where it believes itself on Amazon's.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs20.x";
  return (await import("@sparticuz/chromium")).default.executablePath();
}
