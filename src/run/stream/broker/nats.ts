/** NATS JetStream: messages of a stream by their sequence numbers; rows go to a subject that a stream keeps. */

import type { JetStreamApiError, JetStreamManager, StoredMsg } from "@nats-io/jetstream";
import { addressWords } from "../../../text/serverAddress.ts";
import type { BrokerAddress } from "./address.ts";
import {
  atATime,
  type Board,
  type Broker,
  changed,
  foreign,
  type Inlet,
  NotInstalled,
  type Outlet,
  rowIn,
} from "./broker.ts";

type Client = typeof import("@nats-io/jetstream");

/** By the server's numbers: no such stream, no stream for a subject, and a last message that is another. */
const [noStream, wrongLast] = [10059, 10071];

export async function openNats(to: BrokerAddress): Promise<Broker> {
  const missing = (): never => {
    throw new NotInstalled("nats", "@nats-io/transport-node", "@nats-io/jetstream");
  };
  const [{ connect }, client] = await Promise.all([
    import("@nats-io/transport-node").catch(missing),
    import("@nats-io/jetstream").catch(missing),
  ]);
  const { host, port, user, password: pass } = to;
  // A user without a password is a token.
  const who = pass === undefined ? user !== undefined && { token: user } : { user: user ?? "", pass };
  const connection = await connect({
    servers: `${host.includes(":") ? `[${host}]` : host}:${port}`,
    ...who,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
  });
  const named = addressWords(to.address);
  // A server without JetStream answers nothing to this.
  const manager = await client.jetstreamManager(connection, { checkAPI: false });
  return {
    inlet: () => inletOf(to, named, manager, client),
    outlet: () => outletOf(to, named, manager),
    async board(): Promise<Board> {
      checkSubject(to.name, named);
      return {
        async say(text) {
          connection.publish(to.name, text);
        },
      };
    },
    close: () => connection.close(),
  };
}

async function inletOf({ name, subject }: BrokerAddress, named: string, manager: JetStreamManager, client: Client) {
  if (!/^[^.*>/\\]+$/.test(name)) {
    throw new RangeError(`${named}: a stream of NATS is named without . * > and slashes, got ${JSON.stringify(name)}`);
  }
  const { config } = await manager.streams.info(name).catch(refusing(named, `there is no stream ${name}`));
  if (config.retention === client.RetentionPolicy.Workqueue) {
    throw new RangeError(
      `${named}: is a work queue, whose messages go once one has read them; a stream that keeps them is needed`,
    );
  }
  const one = (found: StoredMsg | null) => (found ? { place: `${found.seq}`, bytes: found.data } : undefined);
  const behind = { next_by_subj: subject ?? ">" };
  const inlet: Inlet = {
    topic: `nats ${name}${subject === undefined ? "" : ` ${subject}`}`,
    at: async (place) => one(await manager.streams.getMessage(name, { seq: Number(place) })),
    async from(place) {
      // Those who wait ask for one message; only where there is one, somebody is made who reads several.
      const next = await manager.streams.getMessage(name, { seq: Number(place ?? 0) + 1, ...behind });
      if (!next) return [];
      const reader = await manager.consumers.add(name, {
        ack_policy: client.AckPolicy.None,
        deliver_policy: client.DeliverPolicy.StartSequence,
        opt_start_seq: Number(place ?? next.seq),
        ...(subject !== undefined && { filter_subject: subject }),
        mem_storage: true,
        num_replicas: 1,
        inactive_threshold: 30e9,
      });
      try {
        const wanted = Math.min(atATime, reader.num_pending);
        const consumer = await manager.jetstream().consumers.get(name, reader.name);
        const messages = [];
        for await (const { seq, data } of await consumer.fetch({ max_messages: wanted, expires: 5000 })) {
          messages.push({ place: `${seq}`, bytes: data });
        }
        return messages;
      } finally {
        await manager.consumers.delete(name, reader.name).catch(() => {});
      }
    },
    async end() {
      return one(await manager.streams.getMessage(name, { last_by_subj: subject ?? ">" }))?.place;
    },
  };
  return inlet;
}

async function outletOf({ name: subject }: BrokerAddress, named: string, manager: JetStreamManager): Promise<Outlet> {
  checkSubject(subject, named);
  const unkept = `no stream keeps the subject ${subject}; make one that does`;
  const stream = await manager.streams.find(subject).catch(refusing(named, unkept));
  const client = manager.jetstream();
  let last = 0;
  return {
    async rows() {
      const found = await manager.streams.getMessage(stream, { last_by_subj: subject });
      last = found?.seq ?? 0;
      if (!found) return 0;
      const row = rowIn(found.string());
      if (row === undefined) throw foreign(named);
      return row + 1;
    },
    async append(texts) {
      // Each only behind the one before it: a lost answer, or somebody else, leaves neither a gap nor a second.
      for (const text of texts) {
        const expect = { lastSubjectSequence: last };
        const { seq } = await client.publish(subject, text, { expect }).catch((error: JetStreamApiError) => {
          throw error.code === wrongLast ? changed(named) : error;
        });
        last = seq;
      }
    },
  };
}

function checkSubject(subject: string, named: string): void {
  if (/^[^\s.*>]+(\.[^\s.*>]+)*$/.test(subject)) return;
  throw new RangeError(`${named}: must end in a subject without * and >, got ${JSON.stringify(subject)}`);
}

/** What the server does not have is said in our words; anything else may pass. */
function refusing(named: string, sentence: string): (error: Error) => never {
  return (error) => {
    if ((error as JetStreamApiError).code === noStream) throw new RangeError(`${named}: ${sentence}`);
    if (/jetstream is not enabled|no responders|503/i.test(error.message)) {
      throw new RangeError(`${named}: the server keeps no messages; start it with JetStream: nats-server -js`);
    }
    throw error;
  };
}
