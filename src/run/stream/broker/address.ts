/** Where messages come from and go to: nats://host:4222/ORDERS, redis://host:6379/orders. */

import { badAddress, serverAddress } from "../../../text/serverAddress.ts";

/** An address, taken apart. */
export interface BrokerAddress {
  readonly kind: "nats" | "redis";
  /** As it was given; it may have a password in it. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  readonly isEncrypted: boolean;
  /** The stream, the subject or the key. */
  readonly name: string;
  /** Of Redis. */
  readonly database: number;
  /** Of NATS, when messages are read: only those with it. */
  readonly subject?: string;
}

const kinds = { "nats:": "nats", "redis:": "redis", "rediss:": "redis" } as const;
const ports = { nats: 4222, redis: 6379 } as const;

export function brokerAddress(address: string): BrokerAddress {
  const url = serverAddress(address);
  const kind = url && Object.hasOwn(kinds, url.protocol) ? kinds[url.protocol as keyof typeof kinds] : undefined;
  const parts = url && decoded(url.pathname.replace(/^\//, "").split("/"));
  const database = kind === "redis" && parts?.length === 2 && /^\d{1,3}$/.test(parts[0]!) ? Number(parts.shift()) : 0;
  const [name = ""] = parts ?? [];
  const subject = url?.searchParams.get("subject") ?? undefined;
  const rest = url && [...url.searchParams.keys()].filter((key) => kind !== "nats" || key !== "subject");
  if (!url || !kind || !parts || parts.length !== 1 || !isName(name) || rest!.length > 0 || url.hash !== "") {
    throw badAddress(
      address,
      "a broker must be an address that ends in a name, such as nats://host:4222/STREAM or redis://host:6379/stream",
    );
  }
  const [user = "", password = ""] = decoded([url.username, url.password]) ?? [];
  return {
    ...{ kind, address, name, database },
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? ports[kind] : Number(url.port),
    isEncrypted: url.protocol === "rediss:",
    ...(user !== "" && { user }),
    ...(password !== "" && { password }),
    ...(subject !== undefined && { subject }),
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
