/** Redis streams: entries of a key by their ids; a row is the entry whose id is its number and one. */

import type { Redis } from "ioredis";
import { absent } from "../../../files/tables/csv.ts";
import { addressWords } from "../../../text/serverAddress.ts";
import type { BrokerAddress } from "./address.ts";
import {
  atATime,
  type Broker,
  changed,
  foreign,
  type Inlet,
  type Message,
  NotInstalled,
  type Outlet,
  rowIn,
} from "./broker.ts";

/** All of them or none, and only behind the entry that is expected: in Redis a script is one step. */
const appending = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if (last[1] and last[1][1] or '') ~= ARGV[1] then return 0 end
for i = 3, #ARGV do redis.call('XADD', KEYS[1], string.format('%.0f-0', ARGV[2] + i - 2), 'json', ARGV[i]) end
return 1`;

/** Milliseconds within which an answer is expected. */
const inTime = 10_000;

/** So much is kept of what may be missed. */
const kept = 10_000;

export async function openRedis(to: BrokerAddress): Promise<Broker> {
  const { Redis } = await import("ioredis").catch(() => {
    throw new NotInstalled("redis", "ioredis");
  });
  let isReady = false;
  let problem: Error | undefined;
  const redis = new Redis({
    ...{ host: to.host, port: to.port, db: to.database, lazyConnect: true },
    ...{ connectTimeout: inTime, commandTimeout: inTime },
    ...(to.user !== undefined && { username: to.user }),
    ...(to.password !== undefined && { password: to.password }),
    ...(to.isEncrypted && { tls: {} }),
    // Whoever asks is told that nobody answers, and asks again; nothing is sent twice behind one's back.
    ...{ maxRetriesPerRequest: 1, autoResendUnfulfilledCommands: false },
    // A server that was there comes back; one that never was is an error.
    retryStrategy: (times) => (isReady ? Math.min(200 * times, 2000) : null),
  });
  redis.on("error", (error: Error) => {
    problem = error;
  });
  // A server that lets one in and then says nothing is none.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), 2 * inTime);
  });
  await Promise.race([redis.connect(), late])
    .catch((error: Error) => {
      redis.disconnect();
      throw problem ?? error;
    })
    .finally(() => clearTimeout(timer));
  isReady = true;
  const named = addressWords(to.address);
  const { name } = to;
  return {
    inlet: async () => {
      if ((await kindOf(redis, name, named)) === "none") throw new RangeError(`${named}: there is no stream ${name}`);
      return inletOf(redis, to);
    },
    outlet: async () => {
      await kindOf(redis, name, named);
      return outletOf(redis, name, named);
    },
    board: async () => {
      await kindOf(redis, name, named);
      return {
        say: async (text) => void (await redis.xadd(name, "MAXLEN", "~", kept, "*", "json", text)),
      };
    },
    close: async () => redis.disconnect(),
  };
}

async function kindOf(redis: Redis, name: string, named: string): Promise<string> {
  const kind = await redis.type(name);
  if (kind !== "none" && kind !== "stream") throw new RangeError(`${named}: must be a stream, and is a ${kind}`);
  return kind;
}

function inletOf(redis: Redis, { name, database }: BrokerAddress): Inlet {
  type Entry = readonly [id: Buffer, fields: readonly Buffer[]];
  const range = async (...words: (string | number)[]): Promise<Message[]> => {
    const found = (await redis.callBuffer(words[0] as string, name, ...words.slice(1))) as Entry[];
    return found.map(([id, fields]) => ({ place: id.toString(), bytes: bytesOf(fields) }));
  };
  return {
    topic: `redis ${database} ${name}`,
    at: async (place) => (await range("XRANGE", place, place))[0],
    from: (place) => range("XRANGE", place ?? "-", "+", "COUNT", atATime),
    end: async () => (await range("XREVRANGE", "+", "-", "COUNT", 1))[0]?.place,
  };
}

/** One field may hold a whole object; otherwise each is a column, whose text is read as a cell of CSV is. */
export function bytesOf(fields: readonly Buffer[]): Uint8Array {
  if (fields.length === 2 && fields[1]!.toString("utf8", 0, 64).trimStart().startsWith("{")) return fields[1]!;
  const texts = fields.map((field) => field.toString());
  const columns = texts.flatMap((text, i) => {
    if (i % 2 > 0) return [];
    const value = texts[i + 1] ?? "";
    return [[text, absent.includes(value) ? null : value] as const];
  });
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(columns)));
}

function outletOf(redis: Redis, name: string, named: string): Outlet {
  let last = "";
  return {
    async rows() {
      const [entry] = await redis.xrevrange(name, "+", "-", "COUNT", 1);
      if (!entry) {
        last = "";
        return 0;
      }
      const row = rowIn(entry[1][1] ?? "");
      if (row === undefined || entry[0] !== idOf(row)) throw foreign(named);
      last = entry[0];
      return row + 1;
    },
    async append(texts, first) {
      if ((await redis.eval(appending, 1, name, last, first, ...texts)) !== 1) throw changed(named);
      last = idOf(first + texts.length - 1);
    },
  };
}

function idOf(row: number): string {
  return `${row + 1}-0`;
}
