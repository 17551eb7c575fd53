/**
 * A broker: messages are read from it at places, rows are added to it. What is written down about a stream is in the
 * folder of its run and not here: a broker is asked what is there, and never where we are.
 */

import type { BrokerAddress } from "./address.ts";

export interface Message {
  /** Where it lies, as the broker says it. */
  readonly place: string;
  /** A JSON object, if it is a row. */
  readonly bytes: Uint8Array;
}

/** Messages that are read. Nothing is taken away: what a broker keeps, and how long, is its own. */
export interface Inlet {
  /** Whose messages they are, wherever the server is. */
  readonly topic: string;
  /** The message at a place; nothing where it is gone. */
  at(place: string): Promise<Message | undefined>;
  /**
   * What lies behind a place: the message there and some after it, or nothing where none is after it. Without a place,
   * the first ones.
   */
  from(place: string | undefined): Promise<readonly Message[]>;
  /** The place of the last message; nothing where there is none. */
  end(): Promise<string | undefined>;
}

/** Where rows are written to, one message each; nobody else writes there. */
export interface Outlet {
  /** How many rows there are, which is the number of the last one and one more. */
  rows(): Promise<number>;
  /** More rows, once the last one is the one before `first`; they are kept when this has ended. */
  append(texts: readonly string[], first: number): Promise<void>;
}

/** Where something is said that may be missed. */
export interface Board {
  say(text: string): Promise<void>;
}

export interface Broker {
  inlet(): Promise<Inlet>;
  outlet(): Promise<Outlet>;
  board(): Promise<Board>;
  close(): Promise<void>;
}

export type OpenBroker = (address: BrokerAddress) => Promise<Broker>;

/** How many messages are asked for at a time. */
export const atATime = 256;

/** The number of a row in what we have written about it; nothing in what others have. */
export function rowIn(text: string): number | undefined {
  const [, row] = /^\{"row":(\d{1,15})[,}]/.exec(text) ?? [];
  return row === undefined ? undefined : Number(row);
}

export function foreign(name: string): RangeError {
  return new RangeError(`${name}: has messages that are not rows of this stream; name another place for those`);
}

export function changed(name: string): RangeError {
  return new RangeError(`${name}: somebody else has written there meanwhile; only one stream may`);
}

/** A client that people install when they want it. */
export class NotInstalled extends Error {
  constructor(kind: string, ...packages: readonly string[]) {
    super(`${kind}:// needs ${packages.join(" and ")}, which are not installed; npm install ${packages.join(" ")}`);
  }
}
