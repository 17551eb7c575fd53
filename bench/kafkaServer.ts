/** A broker of Kafka for bench/broker.ts: one server that is its own controller, from the jars of Maven. */

import { execFileSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type BrokerServer, wrongOf } from "./broker.ts";
import { freePort, started } from "./servers.ts";

export async function startKafka(folder: string, jars: string): Promise<BrokerServer> {
  const [port, inside, controller] = [await freePort(), await freePort(), await freePort()];
  const settings = join(folder, "server.properties");
  const plain = "org.apache.kafka.common.security.plain.PlainLoginModule";
  await writeFile(
    settings,
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=OUTSIDE://127.0.0.1:${port},INSIDE://127.0.0.1:${inside},CONTROLLER://127.0.0.1:${controller}
listener.security.protocol.map=OUTSIDE:SASL_PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=INSIDE
sasl.enabled.mechanisms=PLAIN
listener.name.outside.plain.sasl.jaas.config=${plain} required user_telltale="secret";
log.dirs=${join(folder, "log")}
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
auto.create.topics.enable=false
`,
  );
  const java = ["-Xmx512m", "-cp", join(resolve(jars), "*")];
  execFileSync("java", [...java, "kafka.tools.StorageTool", "format", "-t", "dGVsbHRhbGUtYnJva2VyLQ", "-c", settings], {
    stdio: "ignore",
  });
  const server = await started("java", [...java, "kafka.Kafka", settings], port);
  const jar = (await readdir(jars)).find((name) => /^kafka_2\.13-[\d.]+\.jar$/.test(name))!;
  const { Admin, Consumer, Producer } = await import("@platformatic/kafka");
  const who = { mechanism: "PLAIN", username: "telltale", password: "secret" } as const;
  const options = { clientId: "bench", bootstrapBrokers: [`127.0.0.1:${port}`], sasl: who };
  const address = `kafka://telltale:secret@127.0.0.1:${port}`;
  return {
    ...server,
    version: /-([\d.]+)\.jar$/.exec(jar)![1]!,
    from: `${address}/rows`,
    to: (name) => `${address}/${name}`,
    wrong: [
      ...wrongOf("kafka", `kafka://telltale:mistyped@127.0.0.1:${port}/rows`, await freePort()),
      [`${address}/nothing`, /there is no topic nothing/],
      [`${address}/halves`, /has 2 partitions/],
    ],
    async fill(messages) {
      const admin = new Admin(options);
      await admin.createTopics({ topics: ["rows", "assigned", "drift"], partitions: 1, replicas: 1 });
      await admin.createTopics({ topics: ["halves"], partitions: 2, replicas: 1 });
      await admin.close();
      const producer = new Producer(options);
      // Somebody else's transactions, of which some are taken back: those are not to be read.
      const other = new Producer({ ...options, idempotent: true, transactionalId: "other" });
      for (let at = 0; at < messages.length; at += 500) {
        const asSent = (text: string) => ({ topic: "rows", partition: 0, value: Buffer.from(text) });
        const some = messages.slice(at, at + 500).map(asSent);
        if (at % 5000 > 0) await producer.send({ messages: some, acks: -1 });
        else {
          for (const isKept of [false, true, false]) {
            const transaction = await other.beginTransaction({ producerId: -1n, producerEpoch: -1 });
            await transaction.send({ messages: isKept ? some : [asSent('{"id": "taken back"}')] });
            await (isKept ? transaction.commit() : transaction.abort());
          }
        }
      }
      await producer.close();
      await other.close();
    },
    async written(name) {
      const consumer = new Consumer({ ...options, groupId: `bench-${name}-${Date.now()}` });
      const { found, end } = { found: [] as string[], end: await consumer.listOffsets({ topics: [name] }) };
      const last = end.get(name)![0]! - 1n;
      const stream = await consumer.consume({ topics: [name], mode: "earliest", autocommit: false, maxWaitTime: 500 });
      for await (const { value, offset } of stream) {
        found.push(`${value}\n`);
        // Behind the last row lies the mark that ends its transaction; what is only said has none.
        if (offset >= last - (name === "drift" ? 0n : 1n)) break;
      }
      await stream.close();
      await consumer.close(true);
      return found.join("");
    },
  };
}
