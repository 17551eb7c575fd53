/** The server while somebody looks: its address is printed and opened, and Ctrl-C ends it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { startServer, type ViewOptions } from "../server/start.ts";
import { counted } from "./tables.ts";
import type { Surroundings, Talk } from "./talk.ts";

export interface Looking {
  /** False where no browser is opened. */
  readonly open?: boolean;
}

/** Returns when it is stopped, which is its good end. */
export async function viewed(
  options: ViewOptions,
  { open = true }: Looking,
  talk: Talk,
  { signal }: Surroundings,
): Promise<void> {
  const server = await startServer(options);
  try {
    const { address, addresses, origin, runs, sources, sweeps } = server;
    const files = sources > 0 ? `, ${counted(sources, "data file")}` : "";
    const swept = sweeps > 0 ? `, ${counted(sweeps, "sweep")}` : "";
    talk.result(
      { address, addresses, origin, runs, sources, sweeps },
      () =>
        `${counted(runs, "run")}${swept}${files}: ${addresses.join("\n  or ")}\nWhoever has this address can look and change; Ctrl-C ends it.`,
    );
    // Of several the last is this machine's own, at which a browser trusts a page more than over a network.
    if (open) openBrowser(addresses.at(-1) ?? address);
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await server.close();
  }
}

/** How each system opens an address. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
  linux: ["xdg-open"],
};

/** Where there is no browser, the address was printed. */
function openBrowser(address: string): void {
  const [command, ...words] = openers[process.platform] ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
