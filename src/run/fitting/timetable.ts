/**
 * How long a fit will take, said before it has begun in earnest, and what is left of it at every moment.
 *
 * Epochs tell themselves: the first ones are timed, and the loop's own clock counts the rest. Everything else goes by
 * its sizes (stageCosts.ts), times how slow this processor is just now.
 */

import type { Epoch } from "../../training/epoch.ts";
import type { Plan } from "../../training/plan.ts";
import { secondsOf, slowness } from "./stageCosts.ts";

/** What is to be done, in order. The loop's clock counts the epochs of the fit, and what follows them settles it. */
const order = [
  "choice",
  "trying numbers of clusters",
  "pretraining",
  "teaching",
  "clustering",
  "settling",
  "looking for groups",
  "describing the clusters",
  "drawing the map",
  "assigning rows",
  "writing the report",
] as const;
type Part = (typeof order)[number];

/** What decides how long it takes. */
export interface Facts {
  readonly plan: Plan;
  /** Whether the number of clusters is still to be found; the plan then has the largest that is looked at first. */
  readonly isOpen: boolean;
  /** Whether a teacher is to be found. */
  readonly isChosen: boolean;
  /** Whether the rows may turn out to need no network. */
  readonly isPlain: boolean;
  readonly groups: boolean;
  readonly map: boolean;
  readonly report: boolean;
}

/** Where the number of clusters is not known yet. */
const usualGroups = 5;

interface Expected {
  readonly seconds: number;
  /** What it consists of, in words. */
  readonly parts: readonly string[];
}

export class Timetable {
  readonly #facts: Facts;
  readonly #started: number;
  readonly #slowness: number;
  /** Seconds of an epoch. */
  #epoch = 0;
  #said: "nothing" | "without a network" | "all" = "nothing";

  /** `started` by `performance.now()`; `slow`: how many times as long as where the costs were measured. */
  constructor(facts: Facts, started: number, slow = slowness()) {
    this.#facts = facts;
    this.#started = started;
    this.#slowness = slow;
  }

  /** Before anything: how long it takes if the rows need no network, where that may be. */
  withoutNetwork(): Expected | undefined {
    const { isPlain, isOpen, map, report } = this.#facts;
    if (!isPlain || this.#said !== "nothing") return undefined;
    this.#said = "without a network";
    const parts = [
      ...(isOpen ? ["the number of clusters"] : []),
      "a teacher",
      ...(map ? ["the map"] : []),
      ...(report ? ["the report"] : []),
    ];
    const seconds = this.#passed() + this.after("choice");
    return { seconds, parts: [...parts.slice(0, -1), `${parts.at(-1)}; longer if the rows need a network`] };
  }

  /** Before anything has begun: all of it, with epochs of so many seconds, about. */
  before(epoch: number): Expected {
    const { plan, isOpen } = this.#facts;
    this.#epoch = epoch;
    const choosing = isOpen && this.#pretrainings() > 0 ? epoch * plan.options.pretraining : 0;
    return { seconds: choosing + this.after("choice"), parts: this.#words() };
  }

  /** Takes note of how long an epoch takes; once that is known, and only once, how long all will. */
  measured({ epoch, epochs, phase, seconds, remaining, share = 1 }: Epoch, of: "choice" | "fit"): Expected | undefined {
    if (phase === "teaching" || epoch === 0) return undefined;
    this.#epoch = seconds / share;
    // The first also opens programs, which the others do not.
    if (this.#said === "all" || (epoch === 1 && epochs > 1)) return undefined;
    this.#said = "all";
    const later = this.after(of === "choice" ? "choice" : phase);
    return { seconds: this.#passed() + remaining + later, parts: this.#words() };
  }

  #passed(): number {
    return (performance.now() - this.#started) / 1000;
  }

  /** The seconds of all that follows a part. Of a fit that is under way, its epochs are counted by the loop. */
  after(part: Part): number {
    const rest = order.slice(order.indexOf(part) + 1);
    const isUnderWay = part === "pretraining" || part === "teaching" || part === "clustering";
    return rest
      .filter((each) => !isUnderWay || (each !== "pretraining" && each !== "clustering"))
      .reduce((sum, each) => sum + this.#seconds(each), 0);
  }

  #seconds(part: Part): number {
    const { plan, isOpen, isChosen, groups, map, report } = this.#facts;
    const { pretraining, epochs, restarts } = plan.options;
    const isDone: Partial<Record<Part, boolean>> = {
      "trying numbers of clusters": !isOpen,
      teaching: !isChosen,
      "looking for groups": isOpen || !groups,
      "drawing the map": !map,
      "writing the report": !report,
    };
    if (isDone[part]) return 0;
    // The pretraining that has shown the number of clusters is one of them.
    const pretrainings = Math.max(0, this.#pretrainings() - (isOpen ? 1 : 0));
    if (part === "choice") return 0;
    if (part === "pretraining") return this.#epoch * pretraining * pretrainings;
    if (part === "clustering") return this.#epoch * epochs * (plan.method.isTaught ? 1 : restarts);
    // A few passes over all rows, which learn nothing.
    const passes = part === "settling" ? this.#epoch : 0;
    // Without a network there is one view of the rows, not two.
    const isHalf = this.#said === "without a network" && (part === "teaching" || part === "trying numbers of clusters");
    if (isHalf) return (this.#slowness / 2) * secondsOf(part, isOpen ? { ...plan, clusters: usualGroups } : plan);
    return passes + this.#slowness * secondsOf(part, isOpen ? { ...plan, clusters: usualGroups } : plan);
  }

  #pretrainings(): number {
    const { plan, isChosen } = this.#facts;
    if (plan.options.pretraining === 0 || plan.options.network === "none") return 0;
    return plan.method.isTaught && !isChosen ? 1 : plan.options.restarts;
  }

  #words(): string[] {
    const { plan, isOpen, isChosen, map, report } = this.#facts;
    const counted = (n: number, noun: string): string => (n === 1 ? `a ${noun}` : `${n} ${noun}s`);
    const pretrainings = this.#pretrainings();
    return [
      ...(isOpen ? ["the number of clusters"] : []),
      ...(pretrainings > 0 ? [counted(pretrainings, "pretraining")] : []),
      ...(isChosen ? ["a teacher"] : []),
      plan.method.isTaught ? "a student" : counted(plan.options.restarts, "clustering"),
      ...(map ? ["the map"] : []),
      ...(report ? ["the report"] : []),
    ];
  }
}
