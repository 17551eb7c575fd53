/** The stream of events: one for each tab that somebody sees. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { serverSource } from "../../../src/page/source/serverSource.ts";

/** A browser's, without a server. */
class FakeStream extends EventTarget {
  static readonly all: FakeStream[] = [];
  readonly address: string;
  isClosed = false;

  constructor(address: string) {
    super();
    this.address = address;
    FakeStream.all.push(this);
  }

  static get open(): readonly FakeStream[] {
    return FakeStream.all.filter(({ isClosed }) => !isClosed);
  }

  close(): void {
    this.isClosed = true;
  }

  say(kind: string): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify({ kind }) }));
  }
}

const tab = Object.assign(new EventTarget(), { visibilityState: "visible" });
const turned = (state: "visible" | "hidden"): void => {
  tab.visibilityState = state;
  tab.dispatchEvent(new Event("visibilitychange"));
};

let told: string[] = [];
let stop = (): void => {};
const listen = (): void => {
  stop = serverSource.listen(
    ({ kind }) => told.push(kind),
    (lost) => told.push(lost ? "lost" : "there"),
    () => told.push("gap"),
  );
};
beforeEach(() => {
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("document", tab);
  turned("visible");
  FakeStream.all.length = 0;
  told = [];
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

test("a tab has one stream while it is seen and none while it is not, so that others are answered", () => {
  listen();
  expect(FakeStream.all.map(({ address }) => address)).toEqual(["/api/events"]);
  turned("hidden");
  turned("hidden");
  expect(FakeStream.open).toEqual([]);
  turned("visible");
  turned("visible");
  expect([FakeStream.all.length, FakeStream.open.length]).toEqual([2, 1]);
  stop();
  turned("hidden");
  turned("visible");
  expect(FakeStream.open).toEqual([]);
});

test("one that is opened behind others begins to listen when somebody looks at it, and asks for what it has missed", () => {
  turned("hidden");
  listen();
  expect(FakeStream.all).toEqual([]);
  turned("visible");
  FakeStream.open[0]!.dispatchEvent(new Event("open"));
  FakeStream.open[0]!.say("runs");
  expect(told).toEqual(["there", "gap", "there", "runs"]);
});

test("what has happened meanwhile is asked for once, when it is seen again", () => {
  listen();
  FakeStream.open[0]!.dispatchEvent(new Event("open"));
  turned("hidden");
  turned("visible");
  expect(told).toEqual(["there"]);
  FakeStream.open[0]!.dispatchEvent(new Event("open"));
  FakeStream.open[0]!.dispatchEvent(new Event("error"));
  FakeStream.open[0]!.dispatchEvent(new Event("open"));
  expect(told).toEqual(["there", "there", "gap", "lost", "there"]);
});
