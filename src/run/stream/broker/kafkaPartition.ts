/**
 * One partition of a topic of Kafka, asked by its protocol: what is read is read by offset, and what is written is
 * written in transactions. Of the client the connections and the messages of the protocol are used; a group of
 * consumers, which keeps its own place, is not.
 */

import type { ConnectionPool, fetchV13 } from "@platformatic/kafka";
import { addressWords } from "../../../text/serverAddress.ts";
import type { BrokerAddress } from "./address.ts";

export type Client = typeof import("@platformatic/kafka");

type Node = { readonly host: string; readonly port: number };

export interface Record {
  readonly offset: bigint;
  readonly bytes: Uint8Array;
}

/** What lies at some offset and behind it. */
interface Fetched {
  readonly records: readonly Record[];
  /** Where to go on, where the partition begins, and where what is settled of it ends. */
  readonly next: bigint;
  readonly start: bigint;
  readonly end: bigint;
}

/** By the numbers of the protocol. */
const [outOfRange, unknownTopic] = [1, 3];
const [earliest, committed] = [-2n, 1];
/** A bit of a batch that says how transactions end, or is part of one. */
const [isControl, isTransactional] = [1 << 5, 1 << 4];

/** So many bytes are asked for at a time; a batch that is longer comes whole. */
const mostBytes = 1 << 20;

export class Partition {
  readonly client: Client;
  readonly pool: ConnectionPool;
  readonly topic: string;
  readonly #named: string;
  readonly #first: Node;
  readonly #wanted: number | undefined;
  #found: { id: string; index: number; leader: Node } | undefined;

  constructor(client: Client, pool: ConnectionPool, { address, host, port, name, partition }: BrokerAddress) {
    this.client = client;
    this.pool = pool;
    this.topic = name;
    this.#named = addressWords(address);
    this.#first = { host, port };
    this.#wanted = partition;
  }

  /** Somebody of the cluster; the server that was named. */
  anyone() {
    return this.pool.get(this.#first);
  }

  async leader() {
    return this.pool.get((await this.found()).leader);
  }

  /** Which of the topic's partitions, and who leads it; asked anew after anything went wrong. */
  async found() {
    this.#found ??= await this.#find();
    return this.#found;
  }

  /** After an error nothing is taken for known. */
  async asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      this.#found = undefined;
      throw error;
    }
  }

  async #find() {
    const answer = await this.client.metadataV12.api
      .async(await this.anyone(), [this.topic], false, false)
      .catch((error) => {
        if (hasCode(error, unknownTopic)) throw new RangeError(`${this.#named}: there is no topic ${this.topic}`);
        throw error;
      });
    const { partitions, topicId } = answer.topics[0]!;
    const index = this.#wanted ?? 0;
    if (this.#wanted === undefined && partitions.length > 1) {
      throw new RangeError(
        `${this.#named}: has ${partitions.length} partitions, between which there is no order; name one, such as ?partition=0, and have a run for each`,
      );
    }
    const found = partitions.find(({ partitionIndex }) => partitionIndex === index);
    if (!found) throw new RangeError(`${this.#named}: has partitions from 0 to ${partitions.length - 1}, got ${index}`);
    const leader = answer.brokers.find(({ nodeId }) => nodeId === found.leaderId);
    if (!leader) throw new Error(`partition ${index} has no leader now`);
    return { id: topicId, index, leader };
  }

  async start(): Promise<bigint> {
    const { index } = await this.found();
    const wanted = [{ partitionIndex: index, currentLeaderEpoch: -1, timestamp: earliest }];
    const asked = [{ name: this.topic, partitions: wanted }];
    const { topics } = await this.client.listOffsetsV7.api.async(await this.leader(), -1, committed, asked);
    return topics[0]!.partitions[0]!.offset;
  }

  /** What is settled from an offset on; from the first one, where that is no longer or not yet there. */
  async fetch(offset: bigint): Promise<Fetched> {
    const { id, index } = await this.found();
    const epochs = { currentLeaderEpoch: -1, lastFetchedEpoch: -1 };
    const wanted = { partition: index, fetchOffset: offset, partitionMaxBytes: mostBytes, ...epochs };
    const asked = [{ topicId: id, partitions: [wanted] }];
    const leader = await this.leader();
    try {
      // At once, and as nobody who would come again: whoever waits, waits here.
      const answer = await this.client.fetchV13.api.async(leader, 0, 0, mostBytes, committed, 0, -1, asked, [], "");
      const part = answer.responses[0]!.partitions[0]!;
      return { ...settled(part, offset), start: part.logStartOffset, end: part.lastStableOffset };
    } catch (error) {
      if (!hasCode(error, outOfRange)) throw error;
      const start = await this.start();
      if (start === offset) throw error;
      return this.fetch(start);
    }
  }

  /** The last message; between it and the end there may be marks of transactions, and what was taken back. */
  async last(): Promise<Record | undefined> {
    const { start, end } = await this.fetch(await this.start());
    for (let back = 2n; ; back *= 8n) {
      const from = end - back > start ? end - back : start;
      let last: Record | undefined;
      for (let at = from; at < end; ) {
        const { records, next } = await this.fetch(at);
        last = records.at(-1) ?? last;
        if (next <= at) break;
        at = next;
      }
      if (last || from === start) return last;
    }
  }
}

export type Answer = ReturnType<typeof fetchV13.parseResponse>["responses"][number]["partitions"][number];

/** Records of a partition, without those of transactions that were taken back. */
export function settled({ records: batches = [], abortedTransactions = [] }: Answer, from: bigint) {
  const begun = [...abortedTransactions].sort((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const within = new Set<bigint>();
  const records: Record[] = [];
  let next = from;
  for (const { firstOffset, lastOffsetDelta, attributes, producerId, records: own } of batches) {
    next = firstOffset + BigInt(lastOffsetDelta) + 1n;
    while (begun[0] && begun[0].firstOffset < next) within.add(begun.shift()!.producerId);
    // The end of a transaction, whichever it is.
    if (attributes & isControl) within.delete(producerId);
    else if (!(attributes & isTransactional && within.has(producerId))) {
      for (const { offsetDelta, value } of own) {
        const offset = firstOffset + BigInt(offsetDelta);
        if (offset >= from) records.push({ offset, bytes: value ?? new Uint8Array() });
      }
    }
  }
  return { records, next };
}

/** Whether a server has answered with that number. */
export function hasCode(error: unknown, code: number): boolean {
  const { apiCode, errors = [] } = error as { readonly apiCode?: number; readonly errors?: readonly unknown[] };
  return apiCode === code || errors.some((each) => hasCode(each, code));
}
