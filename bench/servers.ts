/** Servers of others that a bench starts and stops. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return String(port);
}

/** Until somebody listens. */
export async function waitFor(port: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const socket = connect(Number(port), "127.0.0.1");
    const isUp = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await wait(100);
  }
  throw new Error(`bench: no server on ${port}`);
}

/** A server that can be killed and is begun again, and stopped. */
export async function started(program: string, words: readonly string[], port: string) {
  const begin = (): ChildProcess => spawn(program, words, { stdio: "ignore" });
  let server = begin();
  await waitFor(port);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const gone = once(server, "exit");
    server.kill(signal);
    await gone;
  };
  return {
    async kill() {
      await end("SIGKILL");
      await wait(1000);
      server = begin();
      await waitFor(port);
    },
    stop: () => end("SIGTERM"),
  };
}
