/** Where messages come from and go to: nats://host:4222/ORDERS, redis://host:6379/orders, kafka://host:9092/orders. */

import { badAddress, serverAddress } from "../../../text/serverAddress.ts";

/** An address, taken apart. */
export interface BrokerAddress {
  readonly kind: "nats" | "redis" | "kafka";
  /** As it was given; it may have a password in it. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  readonly isEncrypted: boolean;
  /** The stream, the subject, the key or the topic. */
  readonly name: string;
  /** Of Redis. */
  readonly database: number;
  /** Of NATS, when messages are read: only those with it. */
  readonly subject?: string;
  /** Of Kafka: which one, and how a password is told. */
  readonly partition?: number;
  readonly mechanism?: Mechanism;
}

/** Of each protocol: whose it is, where it listens, and what may be said behind a question mark. */
const protocols = {
  "nats:": { kind: "nats", port: 4222, words: ["subject"] },
  "redis:": { kind: "redis", port: 6379, words: [] },
  "rediss:": { kind: "redis", port: 6379, words: [] },
  "kafka:": { kind: "kafka", port: 9092, words: ["partition", "mechanism"] },
  "kafkas:": { kind: "kafka", port: 9093, words: ["partition", "mechanism"] },
} as const;
const encrypted: readonly string[] = ["rediss:", "kafkas:"];

const mechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;
export type Mechanism = (typeof mechanisms)[number];

export function brokerAddress(address: string): BrokerAddress {
  const url = serverAddress(address);
  const known = url && Object.hasOwn(protocols, url.protocol) ? url.protocol : undefined;
  const { kind, port, words } = known ? protocols[known as keyof typeof protocols] : {};
  const parts = url && decoded(url.pathname.replace(/^\//, "").split("/"));
  const database = kind === "redis" && parts?.length === 2 && /^\d{1,3}$/.test(parts[0]!) ? Number(parts.shift()) : 0;
  const [name = ""] = parts ?? [];
  const said = (word: string): string | undefined => url?.searchParams.get(word) ?? undefined;
  const subject = said("subject");
  const partition = said("partition");
  const mechanism = mechanisms.find((each) => each === (said("mechanism") ?? each));
  const rest =
    url && [...url.searchParams.keys()].filter((key) => !(words as readonly string[] | undefined)?.includes(key));
  const isWhole = url && kind && parts?.length === 1 && isName(name) && rest!.length === 0 && url.hash === "";
  if (!isWhole || !/^\d{1,6}$/.test(partition ?? "0") || !mechanism) {
    throw badAddress(
      address,
      "a broker must be an address that ends in a name, such as nats://host:4222/STREAM, redis://host:6379/stream or kafka://host:9092/topic",
    );
  }
  const [user = "", password = ""] = decoded([url.username, url.password]) ?? [];
  return {
    ...{ kind, address, name, database },
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? port! : Number(url.port),
    isEncrypted: encrypted.includes(url.protocol),
    ...(user !== "" && { user }),
    ...(password !== "" && { password }),
    ...(subject !== undefined && { subject }),
    ...(partition !== undefined && { partition: Number(partition) }),
    ...(kind === "kafka" && { mechanism }),
  };
}

/** Nothing that one sees, or no text at all, is no name. */
function isName(name: string): boolean {
  return /^[^\s\p{Cc}]{1,200}$/u.test(name);
}

function decoded(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
