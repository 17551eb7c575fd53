/**
 * Kafka: messages of a partition by their offsets; rows go to a partition in transactions, of which a later stream ends
 * the earlier one's, so that nothing that was sent before a kill arrives after it.
 */

import { setTimeout as wait } from "node:timers/promises";
import type { Connection, MessageRecord } from "@platformatic/kafka";
import { addressWords } from "../../../text/serverAddress.ts";
import type { BrokerAddress } from "./address.ts";
import { type Broker, changed, foreign, type Inlet, type Message, NotInstalled, type Outlet, rowIn } from "./broker.ts";
import { type Client, hasCode, Partition, type Record } from "./kafkaPartition.ts";

/** Milliseconds within which an answer is expected, and how long it is waited for what passes. */
const [inTime, patience] = [10_000, 60_000];

/**
 * By the numbers of the protocol: what passes (a coordinator that is being started or is elsewhere, an earlier
 * transaction that is being ended), and what a coordinator is asked about.
 */
const [passing, transactions] = [[14, 15, 16, 51], 1];

export async function openKafka(to: BrokerAddress): Promise<Broker> {
  const client = await import("@platformatic/kafka").catch(() => {
    throw new NotInstalled("kafka", "@platformatic/kafka");
  });
  const { user, password, mechanism = "PLAIN", isEncrypted } = to;
  const pool = new client.ConnectionPool("telltale", {
    ...{ connectTimeout: inTime, requestTimeout: inTime },
    ...(isEncrypted && { tls: {}, tlsServerName: true }),
    ...(user !== undefined && { sasl: { mechanism, username: user, password: password ?? "" } }),
  });
  const partition = new Partition(client, pool, to);
  const close = async (): Promise<void> => void (await pool.close().catch(() => {}));
  try {
    await partition.found();
  } catch (error) {
    await close();
    throw innermost(error as Error);
  }
  const asked = <T>(ask: () => Promise<T>): Promise<T> =>
    partition.asked(ask).catch((error) => {
      throw innermost(error);
    });
  return {
    async inlet(): Promise<Inlet> {
      const { index } = await partition.found();
      return {
        topic: `kafka ${to.name} ${index}`,
        at: (place) => asked(() => messageAt(partition, place)),
        from: (place) => asked(() => messagesFrom(partition, place)),
        end: async () => placed(await asked(() => partition.last()))?.place,
      };
    },
    async outlet() {
      const { rows, append } = outletOf(client, partition, addressWords(to.address));
      return { rows: () => asked(rows), append: (texts, first) => asked(() => append(texts, first)) };
    },
    board: async () => ({
      say: (text) => asked(async () => void (await produced(client, partition, [text], {}))),
    }),
    close,
  };
}

function placed(record: Record | undefined): Message | undefined {
  return record && { place: `${record.offset}`, bytes: record.bytes };
}

async function messageAt(partition: Partition, place: string): Promise<Message | undefined> {
  const { records } = await partition.fetch(BigInt(place));
  return placed(records.find(({ offset }) => `${offset}` === place));
}

async function messagesFrom(partition: Partition, place: string | undefined): Promise<readonly Message[]> {
  const found: Message[] = [];
  // What one answer has may be nothing but marks of transactions, or the message that was read last.
  for (let at = place === undefined ? await partition.start() : BigInt(place); ; ) {
    const { records, next, end } = await partition.fetch(at);
    found.push(...records.map((record) => placed(record)!));
    const isAlone = found.length === 1 && found[0]!.place === place;
    if (found.length > 0 && !isAlone) return found;
    if (next >= end || next <= at) return [];
    at = next;
  }
}

function outletOf(client: Client, partition: Partition, named: string): Outlet {
  let writer: Writer | undefined;
  return {
    async rows() {
      // Whoever wrote here before can do so no longer, and what it has left open is taken back.
      writer = await Writer.begin(client, partition);
      const last = await partition.last();
      if (!last) return 0;
      const row = rowIn(new TextDecoder().decode(last.bytes));
      if (row === undefined) throw foreign(named);
      return row + 1;
    },
    async append(texts) {
      if (!(await writer!.append(texts))) throw changed(named);
    },
  };
}

/** Who writes rows: known by a name, of which the server lets only the latest write. */
class Writer {
  readonly #client: Client;
  readonly #partition: Partition;
  readonly #name: string;
  readonly #coordinator: Connection;
  readonly #who: { readonly producerId: bigint; readonly producerEpoch: number };
  readonly #sequences: InstanceType<Client["NumericMap"]>;
  /** Where the next row must come to lie. */
  #next: bigint;

  private constructor(
    client: Client,
    partition: Partition,
    name: string,
    coordinator: Connection,
    who: { readonly producerId: bigint; readonly producerEpoch: number },
    next: bigint,
  ) {
    this.#client = client;
    this.#partition = partition;
    this.#name = name;
    this.#coordinator = coordinator;
    this.#who = who;
    this.#next = next;
    this.#sequences = new client.NumericMap();
  }

  static async begin(client: Client, partition: Partition): Promise<Writer> {
    const { index } = await partition.found();
    const name = `telltale ${partition.topic} ${index}`;
    const [coordinator, who] = await oncePassed(async () => {
      const found = await client.findCoordinatorV4.api.async(await partition.anyone(), transactions, [name]);
      const connection = await partition.pool.get(found.coordinators[0]!);
      return [connection, await client.initProducerIdV4.api.async(connection, name, 60_000, -1n, -1)] as const;
    });
    const { end } = await partition.fetch(await partition.start());
    return new Writer(client, partition, name, coordinator, who, end);
  }

  /** All of them or none; none where somebody else has written meanwhile. */
  async append(texts: readonly string[]): Promise<boolean> {
    const { topic } = this.#partition;
    const { index } = await this.#partition.found();
    const topics = [{ name: topic, partitions: [index] }];
    const begun = { ...this.#who, transactionalId: this.#name, verifyOnly: false, topics };
    await oncePassed(() => this.#client.addPartitionsToTxnV3.api.async(this.#coordinator, [begun]));
    const options = { ...this.#who, transactionalId: this.#name, sequences: this.#sequences };
    const offset = await produced(this.#client, this.#partition, texts, options);
    this.#sequences.postIncrement(`${topic}:${index}`, texts.length, 0);
    const isOurs = offset === this.#next;
    const { producerId, producerEpoch } = this.#who;
    await this.#client.endTxnV3.api.async(this.#coordinator, this.#name, producerId, producerEpoch, isOurs);
    // Behind them lies the mark that ends the transaction.
    this.#next = offset + BigInt(texts.length) + 1n;
    return isOurs;
  }
}

type ProduceOptions = NonNullable<Parameters<Client["produceV9"]["createRequest"]>[3]>;

/** The offset of the first of them, once all servers that keep them have them. */
async function produced(client: Client, partition: Partition, texts: readonly string[], options: ProduceOptions) {
  const { index } = await partition.found();
  const messages: MessageRecord[] = texts.map((text) => ({
    ...{ topic: partition.topic, partition: index, value: Buffer.from(text) },
  }));
  const answer = await client.produceV9.api.async(await partition.leader(), -1, inTime, messages, options);
  return (answer as { responses: { partitionResponses: { baseOffset: bigint }[] }[] }).responses[0]!
    .partitionResponses[0]!.baseOffset;
}

/** What passes takes milliseconds, or seconds where a server has just been started. */
async function oncePassed<T>(ask: () => Promise<T>): Promise<T> {
  for (const began = performance.now(); ; ) {
    try {
      return await ask();
    } catch (error) {
      const isPassing = passing.some((code) => hasCode(error, code));
      if (!isPassing || performance.now() - began > patience) throw error;
      await wait(10);
    }
  }
}

/** What has happened stands in the innermost of the client's errors. */
function innermost(error: Error): Error {
  if (error instanceof RangeError) return error;
  const { errors = [], cause } = error as Error & { readonly errors?: readonly Error[] };
  const inner = errors[0] ?? (cause instanceof Error ? cause : undefined);
  return inner ? innermost(inner) : error;
}
