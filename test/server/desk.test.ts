/** The desk and its processes: whoever asks is answered, or told that nobody will. */

import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { Desk } from "../../src/server/desk/desk.ts";
import type { ToDesk } from "../../src/server/desk/messages.ts";
import { EventHub } from "../../src/server/eventHub.ts";
import { RunShelf } from "../../src/server/runShelf.ts";

/** A process that says nothing by itself. */
class Silent extends EventEmitter {
  connected = true;
  readonly asked: ToDesk[] = [];
  send(message: ToDesk): void {
    this.asked.push(message);
  }
}

test("a process that was cut off takes only its own questions with it when it ends", async () => {
  const shelf = new RunShelf({ runs: [], folders: [] });
  shelf.adopt("pumps", "/pumps");
  const children: Silent[] = [];
  const start = (): ChildProcess => children[children.push(new Silent()) - 1] as unknown as ChildProcess;
  const { curation } = new Desk({ shelf, hub: new EventHub(), start }).answers();
  const ask = async () => {
    const answer = curation({ in: { run: "pumps" } } as never).catch((error: Error) => error.message);
    await new Promise(setImmediate);
    return { answer };
  };
  const first = await ask();
  children[0]!.connected = false;
  const second = await ask();
  expect(children.map(({ asked }) => asked.length)).toEqual([1, 1]);
  children[0]!.emit("exit", 1, null);
  const waiting = new Promise((resolve) => setImmediate(resolve, "waits"));
  expect(await Promise.race([first.answer, waiting])).toMatch(/has ended itself; ask again/);
  children[1]!.emit("message", { kind: "answer", number: children[1]!.asked[0]!.number, reply: "edits" });
  expect(await second.answer).toBe("edits");
});
