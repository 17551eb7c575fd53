/** Time, told whole: what is said before it begins covers all that follows, and so does what is left. */

import { describe, expect, test } from "vitest";
import { methodOf } from "../../src/methods/methodOf.ts";
import { secondsOf, slowness } from "../../src/run/fitting/stageCosts.ts";
import { Timetable } from "../../src/run/fitting/timetable.ts";
import { Clock, type Epoch } from "../../src/training/epoch.ts";
import { plan } from "../../src/training/plan.ts";

const data = { row: [10], range: [-9, 9], count: 1000 } as const;
const planned = (name: string, count = 1000) => plan(methodOf(name), { ...data, count }, { clusters: 5 });
const told = { isOpen: false, isChosen: true, isPlain: false, groups: true, map: true, report: true };
const epoch = (more: Partial<Epoch>): Epoch => ({
  ...{ restart: 0, phase: "pretraining", epoch: 2, epochs: 20, losses: {}, notices: [], seconds: 1, remaining: 50 },
  ...more,
});

describe("the time that is said before", () => {
  test("is of all that follows: the epochs as the loop counts them, and what comes after", () => {
    const table = new Timetable({ plan: planned("telltale"), ...told }, performance.now(), 1);
    // The first epoch also opens programs, and says nothing about the others.
    expect(table.measured(epoch({ epoch: 1, seconds: 9 }), "fit")).toBeUndefined();
    const said = table.measured(epoch({}), "fit")!;
    expect(said.parts).toEqual(["2 pretrainings", "a teacher", "a student", "the map", "the report"]);
    expect(said.seconds).toBeCloseTo(50 + table.after("pretraining"), 1);
    expect(table.measured(epoch({ epoch: 3 }), "fit")).toBeUndefined();
    const plan = planned("telltale");
    const later = (["teaching", "looking for groups", "describing the clusters", "drawing the map"] as const)
      .map((part) => secondsOf(part, plan))
      .reduce((a, b) => a + b);
    expect(table.after("pretraining")).toBeGreaterThan(later);
    expect(table.after("teaching")).toBeCloseTo(table.after("pretraining") - secondsOf("teaching", plan), 6);
    expect(table.after("writing the report")).toBe(0);
  });

  test("counts a choice of the number of clusters, whose pretraining is one of the others", () => {
    const facts = { plan: planned("telltale"), ...told };
    const open = new Timetable({ ...facts, isOpen: true }, performance.now(), 1);
    const fixed = new Timetable(facts, performance.now(), 1);
    const { pretraining, epochs } = facts.plan.options;
    const said = open.measured(epoch({ epochs: pretraining, remaining: pretraining - 2 }), "choice")!;
    expect(said.parts[0]).toBe("the number of clusters");
    fixed.measured(epoch({ remaining: 2 * pretraining - 2 + epochs }), "fit");
    const trying = secondsOf("trying numbers of clusters", facts.plan) - secondsOf("looking for groups", facts.plan);
    expect(open.after("choice") - fixed.after("pretraining")).toBeCloseTo(trying + pretraining + epochs, 6);
  });

  test("of rows that may need no network is said at once, and again where they do", () => {
    const table = new Timetable({ plan: planned("telltale"), ...told, isPlain: true }, performance.now(), 1);
    const said = table.withoutNetwork()!;
    expect(said.parts).toEqual(["a teacher", "the map", "the report; longer if the rows need a network"]);
    expect(said.seconds).toBeGreaterThan(secondsOf("drawing the map", planned("telltale")));
    expect(table.withoutNetwork()).toBeUndefined();
    expect(table.measured(epoch({}), "fit")!.seconds).toBeGreaterThan(50);
    expect(table.measured(epoch({ epoch: 3 }), "fit")).toBeUndefined();
  });

  test("leaves out what is not done", () => {
    const facts = {
      plan: planned("kmeans"),
      ...{ isOpen: false, isChosen: false, isPlain: false },
      ...{ groups: false, map: false, report: false },
    };
    const table = new Timetable(facts, performance.now(), 1);
    expect(table.measured(epoch({ phase: "clustering" }), "fit")!.parts).toEqual(["a clustering"]);
    const drawn = new Timetable({ ...facts, map: true }, performance.now(), 1);
    drawn.measured(epoch({ phase: "clustering" }), "fit");
    const map = secondsOf("drawing the map", facts.plan);
    expect(drawn.after("clustering") - table.after("clustering")).toBeCloseTo(map, 6);
    const asked = new Timetable({ ...facts, groups: true }, performance.now(), 1);
    asked.measured(epoch({ phase: "clustering" }), "fit");
    const groups = secondsOf("looking for groups", facts.plan);
    expect(asked.after("clustering") - table.after("clustering")).toBeCloseTo(groups, 6);
  });

  test("grows with a busy processor, and a map of many rows costs no more than one of a million", () => {
    const facts = { plan: planned("kmeans"), ...told, isChosen: false };
    const [idle, busy] = [1, 4].map((slow) => new Timetable(facts, 0, slow).after("clustering")) as [number, number];
    expect(busy / idle).toBeCloseTo(4, 6);
    const map = (rows: number): number => secondsOf("drawing the map", planned("kmeans", rows));
    expect(map(5_000_000)).toBe(map(1_000_000));
    expect(slowness()).toBeGreaterThan(0);
  });
});

test("the loop's clock forgets its first epoch, which opens programs, once there is a second", () => {
  const clock = new Clock({ pretraining: 10, clustering: 0 });
  expect(clock.count("pretraining", 5)).toBe(45);
  expect(clock.count("pretraining", 1)).toBe(8);
  expect(clock.count("pretraining", 2)).toBeCloseTo(7 * 1.3, 9);
});
