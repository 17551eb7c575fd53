/**
 * What the whole page knows: where answers come from, the runs, the fits, the run that is open, and what went wrong.
 */

import { effect, signal } from "@preact/signals";
import type { Source as DataFile, Fit } from "../../api/fits.ts";
import type { Answer } from "../../api/routes.ts";
import type { RunBrief, Sweep } from "../../api/runs.ts";
import { progressAt } from "../../api/told.ts";
import type { Source } from "../source/source.ts";
import { OpenRun } from "./openRun.ts";
import { view } from "./view.ts";

export class Session {
  readonly source: Source;
  readonly server = signal<Answer<"server"> | undefined>(undefined);
  readonly runs = signal<readonly RunBrief[] | undefined>(undefined);
  readonly sweeps = signal<readonly Sweep[]>([]);
  readonly fits = signal<readonly Fit[]>([]);
  /** Files that can be fitted. */
  readonly sources = signal<readonly DataFile[]>([]);
  readonly run = signal<OpenRun | undefined>(undefined);
  readonly other = signal<OpenRun | undefined>(undefined);
  /** In a sentence, until it is put away. */
  readonly problem = signal("");
  readonly isLost = signal(false);

  constructor(source: Source) {
    this.source = source;
  }

  async begin(): Promise<void> {
    await this.attempt(async () => {
      this.server.value = await this.source.ask("server");
      await Promise.all([this.listRuns(), this.listSweeps(), this.listFits(), this.listSources()]);
    });
    this.#follow("run", this.run);
    this.#follow("other", this.other);
    effect(() => {
      const [run, { filter }] = [this.run.value, view.value];
      if (run) void this.attempt(() => run.prepare(filter));
    });
    effect(() => {
      const [run, other, { color, filter }] = [this.run.value, this.other.value, view.value];
      const isNeeded = other?.id === view.value.other && (color === "run" || filter.others.length > 0);
      if (run && other && isNeeded) void this.attempt(() => run.putBeside(other));
    });
    this.source.listen(
      (event) => {
        if (event.kind === "runs") void this.attempt(() => this.listRuns());
        else if (event.kind === "sweeps") void this.attempt(() => this.listSweeps());
        else if (event.kind === "curation") this.#curated(event.run, event.version);
        else if (event.kind === "fit")
          // What is not said any more, such as a stage, does not hold any more.
          this.#change(event.fit.id, ({ epochs, frames }) => ({ ...event.fit, epochs, frames }), event.fit as Fit);
        else if (event.kind === "epoch")
          this.#change(event.fit, (fit) => ({
            ...fit,
            ...progressAt(event.epoch),
            epochs: [...fit.epochs, event.epoch],
          }));
        else if (event.kind === "frame")
          this.#change(event.fit, (fit) => ({ ...fit, frames: [...fit.frames, event.frame] }));
      },
      (lost) => {
        if (this.isLost.value && !lost) void this.attempt(() => this.listFits());
        this.isLost.value = lost;
      },
      () => void this.attempt(() => this.#catchUp()),
    );
  }

  /** Whatever it cannot do, it says. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) {
        this.problem.value = error instanceof Error ? error.message : String(error);
      }
      return undefined;
    }
  }

  async listRuns(): Promise<void> {
    this.runs.value = await this.source.ask("runs");
  }

  async listSweeps(): Promise<void> {
    this.sweeps.value = this.source.kind === "server" ? await this.source.ask("sweeps") : [];
  }

  async listFits(): Promise<void> {
    this.fits.value = await this.source.ask("fits");
  }

  async listSources(): Promise<void> {
    this.sources.value = this.source.kind === "file" ? [] : await this.source.ask("sources");
  }

  /** What has happened while nobody listened. */
  async #catchUp(): Promise<void> {
    const runs = [this.run.value, this.other.value].filter((run) => run !== undefined);
    await Promise.all([
      this.listRuns(),
      this.listSweeps(),
      this.listFits(),
      this.listSources(),
      ...runs.map((run) => run.catchUp()),
    ]);
  }

  #curated(id: string, version: number): void {
    for (const run of [this.run.value, this.other.value]) {
      if (run?.id === id && run.curation.value?.version !== version) void this.attempt(() => run.refresh());
    }
  }

  #change(id: string, change: (fit: Fit) => Fit, begun?: Fit): void {
    const known = this.fits.value.some((fit) => fit.id === id);
    if (known) this.fits.value = this.fits.value.map((fit) => (fit.id === id ? change(fit) : fit));
    else if (begun) this.fits.value = [...this.fits.value, { ...begun, epochs: [], frames: [] }];
  }

  /** Opens the run that the view names. */
  #follow(which: "run" | "other", into: typeof this.run): void {
    let asked = "";
    effect(() => {
      const wanted = view.value[which];
      // Most changes of the view are about the same run.
      if (wanted === asked) return;
      asked = wanted;
      if (wanted === "") {
        into.value = undefined;
        return;
      }
      void this.attempt(async () => {
        const opened = await OpenRun.open(this.source, wanted);
        if (view.peek()[which] === wanted) into.value = opened;
      });
    });
  }
}
