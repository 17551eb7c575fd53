/** Connects to a broker by its own client, which is loaded only where somebody asks for it. */

import { cannotReach } from "../../../text/serverAddress.ts";
import { type BrokerAddress, brokerAddress } from "./address.ts";
import { type Broker, NotInstalled, type OpenBroker } from "./broker.ts";

const drivers: Readonly<Record<BrokerAddress["kind"], () => Promise<OpenBroker>>> = {
  nats: async () => (await import("./nats.ts")).openNats,
  redis: async () => (await import("./redis.ts")).openRedis,
  kafka: async () => (await import("./kafka.ts")).openKafka,
};

/** A broker that answers, or a line that says why it cannot be used. */
export async function openBroker(address: string): Promise<Broker> {
  const parsed = brokerAddress(address);
  const open = await drivers[parsed.kind]();
  return open(parsed).catch((error) => {
    throw error instanceof RangeError || error instanceof NotInstalled ? error : cannotReach(address, "broker", error);
  });
}

/** How long a server may be away, and how long to wait before it is asked again; in milliseconds. */
const [patience, pause] = [120_000, 500];

/**
 * Asks until there is an answer: a server that is started again is waited for. What we refuse ourselves is refused at
 * once.
 */
export async function patiently<T>(
  address: string,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  for (const began = performance.now(); ; ) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof RangeError) throw error;
      signal?.throwIfAborted();
      if (performance.now() - began > patience) throw cannotReach(address, "broker", error as Error);
      await wait(pause, signal);
    }
  }
}

export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
    if (signal?.aborted) done();
  });
}
