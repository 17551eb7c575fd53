/** Messages of a broker as the rows of a stream: one JSON object each. */

import { sha256 } from "../../../disk/sha256.ts";
import { addressWords } from "../../../text/serverAddress.ts";
import type { StreamState } from "../../folder/schemas/streamState.ts";
import { textOf } from "../header.ts";
import {
  Arrivals,
  type Beginning,
  type Idle,
  type Input,
  type Intake,
  type Position,
  type StartOptions,
  stoppedIn,
  untilStopped,
} from "../intake.ts";
import type { Line } from "../lineReader.ts";
import { type Header, jsonHeader } from "../records.ts";
import type { Inlet, Message } from "./broker.ts";
import { openBroker, patiently, wait } from "./openBroker.ts";

/** Milliseconds between two looks at a stream in which nothing has come. */
const pace = 250;
/** So many messages may come before one that can be used. */
const mostBad = 1000;

export async function openMessages(address: string): Promise<Input> {
  const broker = await openBroker(address);
  const inlet = await broker.inlet().catch(async (error) => {
    await broker.close();
    throw error;
  });
  const name = addressWords(address);
  const closing = new AbortController();
  return {
    name,
    async start(state, options) {
      const before = await placeIn(inlet, name, state);
      const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
      const messages = arriving(address, inlet, before?.last, { ...options, signal });
      const intake = new MessageIntake(inlet.topic, before, untilStopped(messages, options.signal), options.signal);
      return {
        position: intake.position,
        isNew: before === undefined,
        intake,
        header: (check) => firstOf(name, intake, options, check),
        readAs() {},
      };
    },
    async close() {
      closing.abort();
      await broker.close();
    },
  };
}

type Place = Required<Position>;

/** Where an earlier stream was stopped, if these are its messages and the last one is still there. */
async function placeIn(inlet: Inlet, name: string, state: StreamState | undefined): Promise<Place | undefined> {
  if (!state || state.offset === 0) return undefined;
  const { last, offset, breaks } = state;
  if (last?.topic !== inlet.topic) {
    if (state.finished) return undefined;
    throw stoppedIn(name, state);
  }
  const found = await inlet.at(last.place);
  if (!found) throw gone(name, last.place);
  if (sha256(found.bytes) !== last.sha256) throw stoppedIn(name, state);
  return { last, offset, breaks };
}

function gone(name: string, place: string): RangeError {
  return new RangeError(
    `${name}: message ${place}, which was read last, is no longer kept, and perhaps others after it are not; say --new-input to go on with what is left, or --restart to begin anew`,
  );
}

/** Behind a place, in their order; followed, on until it is told to stop, and otherwise to what is the last one now. */
async function* arriving(
  address: string,
  inlet: Inlet,
  last: Position["last"],
  { follow = false, signal }: StartOptions,
): AsyncGenerator<Message> {
  const asked = <T>(ask: () => Promise<T>): Promise<T> => patiently(address, signal, ask);
  const end = follow ? undefined : await asked(() => inlet.end());
  for (let at = last?.place; follow || (end !== undefined && at !== end); ) {
    const found = await asked(() => inlet.from(at));
    // Each look begins with the last message: while it is there, nothing behind it can have been dropped unread.
    if (at !== undefined && found.length > 0 && found[0]!.place !== at) throw gone(addressWords(address), at);
    const more = at === undefined ? found : found.slice(1);
    for (const message of more) {
      yield message;
      at = message.place;
      if (at === end) return;
    }
    if (signal?.aborted || (more.length === 0 && !follow)) return;
    if (more.length === 0) await wait(pace, signal);
  }
}

class MessageIntake implements Intake {
  readonly #topic: string;
  readonly #messages: Arrivals<Message>;
  readonly #signal: AbortSignal | undefined;
  readonly #peeked: Message[] = [];
  #count: number;
  #last: Message | undefined;
  readonly #before: Position["last"];

  constructor(
    topic: string,
    before: Place | undefined,
    messages: AsyncIterator<Message>,
    signal: AbortSignal | undefined,
  ) {
    this.#topic = topic;
    this.#messages = new Arrivals(messages);
    this.#signal = signal;
    this.#count = before?.offset ?? 0;
    this.#before = before?.last;
  }

  async next(idle?: Idle): Promise<Line | undefined> {
    const message = this.#peeked.shift() ?? (await this.#arrived(idle));
    if (!message) return undefined;
    this.#last = message;
    this.#count++;
    return this.#asLine(message, this.#count);
  }

  /** The one behind all that were looked at so far; it comes again. */
  async peek(): Promise<Line | undefined> {
    const message = await this.#arrived();
    if (!message) return undefined;
    this.#peeked.push(message);
    return this.#asLine(message, this.#count + this.#peeked.length);
  }

  async #arrived(idle?: Idle): Promise<Message | undefined> {
    while (!this.#signal?.aborted && !this.#messages.hasEnded) {
      const message = await this.#messages.next(idle);
      if (message) return message;
    }
    return undefined;
  }

  #asLine({ bytes, place }: Message, number: number): Line {
    return { bytes, number, name: `message ${place}`, unclosed: false };
  }

  get position(): Position {
    const last = this.#last
      ? { topic: this.#topic, place: this.#last.place, sha256: sha256(this.#last.bytes) }
      : this.#before;
    return { offset: this.#count, breaks: this.#count, ...(last && { last }) };
  }

  tail(): string {
    return "";
  }

  forget(): void {}
}

/** The first message that can be used tells what the columns are; bad ones may come before it. */
async function firstOf(
  name: string,
  intake: MessageIntake,
  { skipBad = false, signal }: StartOptions,
  check: (header: Header) => void,
): Promise<Beginning | undefined> {
  let problem: RangeError | undefined;
  for (let count = 0; count < mostBad; count++) {
    const line = await intake.peek();
    if (!line && (!problem || signal?.aborted)) return undefined;
    if (!line) break;
    try {
      const header = jsonHeader(textOf(line));
      check(header);
      return { header };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problem ??= new RangeError(`${name}: ${line.name}: ${error.message.replace(`${name}: `, "")}`);
      if (!skipBad) throw problem;
    }
  }
  throw new RangeError(`${problem!.message}; and no message after it can be used either, of up to ${mostBad}`);
}
