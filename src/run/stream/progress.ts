/** What a stream has done so far, and how it is made to last: batch by batch, committed about once a second. */

import type { Writable } from "node:stream";
import type { Reach } from "../../explain/outlier.ts";
import type { Followed, Model } from "../../model/model.ts";
import type { DriftReport } from "../../training/drift.ts";
import type { RunFolder } from "../folder/runFolder.ts";
import type { StreamState } from "../folder/schemas/streamState.ts";
import { type Following, writeMemory } from "../folder/streamMemory.ts";
import { type AsideTarget, asideLines } from "./aside.ts";
import { numbersOf, placementCells, type Row, type Rows } from "./batch.ts";
import type { Intake, Position } from "./intake.ts";
import type { Reports } from "./reports.ts";
import { type FileEnd, openEnd, openSink, type Sink, type Target } from "./sink.ts";

/** Milliseconds between commits, at least. */
const between = 1000;

export interface ProgressSettings {
  readonly folder: RunFolder;
  readonly following: Following;
  readonly model: Model;
  /** The variables before the first row of all. */
  readonly begun: Followed["variables"];
  readonly reach: readonly Reach[];
  readonly intake: Intake;
  readonly target: Target;
  readonly stdout: Writable;
  readonly aside?: AsideTarget;
  readonly reports: Reports;
  readonly onDrift?: (report: DriftReport) => void;
}

export class Progress {
  readonly #settings: ProgressSettings;
  #state: StreamState;
  #rows: Rows | undefined;
  #sink: Sink | undefined;
  #aside: FileEnd | undefined;
  #committed = performance.now();
  #isCommitted = true;
  /** While a batch is under way, the centers and the counts are not of one moment. */
  #isMoving = false;

  constructor(settings: ProgressSettings, state: StreamState) {
    this.#settings = settings;
    this.#state = state;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** From the first line of an input on it is known what the columns are. */
  begin(rows: Rows, header: NonNullable<StreamState["header"]>): void {
    this.#rows = rows;
    this.#state = { ...this.#state, header };
  }

  /** Labels a batch, writes it, and lets the centers follow it. */
  async take(batch: readonly Row[], end: Position): Promise<void> {
    const { model, reach, intake } = this.#settings;
    const { rows, skipped, rate, frozen } = this.#state;
    const sink = await this.#opened();
    await sink.write(await placementCells(model, batch, { first: rows, reach }));
    await this.#aside?.write(asideLines(batch, rows));
    const x = numbersOf(batch);
    this.#isMoving = true;
    if (x && !frozen) await model.partialFit(x, { rate, batch: x.shape[0]! });
    this.#state = {
      ...this.#state,
      ...end,
      finished: false,
      tail: "",
      rows: rows + batch.length,
      skipped: skipped + batch.length - (x?.shape[0] ?? 0),
      ...this.#output(sink.length),
    };
    this.#isMoving = false;
    this.#isCommitted = false;
    intake.forget(end);
    if (this.untilCommit() <= 0) await this.commit();
  }

  /** Milliseconds until what was done is to be committed; forever where it has been. */
  untilCommit(): number {
    return this.#isCommitted ? Number.POSITIVE_INFINITY : this.#committed + between - performance.now();
  }

  /** The end of the input: the output has at least its beginning. */
  async finish(): Promise<void> {
    if (this.#rows) {
      const sink = await this.#opened();
      await sink.write([]);
      this.#state = { ...this.#state, ...this.#output(sink.length) };
    }
    this.#state = { ...this.#state, finished: true };
    await this.#write();
  }

  /** Makes all whole batches last that have not been so far. */
  async commit(): Promise<void> {
    if (!this.#isMoving && !this.#isCommitted) await this.#write();
  }

  /** The output first, then the one file that says how much of it counts. */
  async #write(): Promise<void> {
    const { folder, following, model, begun, intake, reports, onDrift } = this.#settings;
    await this.#sink?.sync();
    await this.#aside?.sync();
    this.#state = { ...this.#state, tail: intake.tail(this.#state) };
    await writeMemory(folder, following, { state: this.#state, now: await model.followed(), begun });
    this.#committed = performance.now();
    this.#isCommitted = true;
    const drift = model.drift();
    if (drift) onDrift?.(drift);
    const { rows, skipped } = this.#state;
    await reports.tell({ rows, skipped, committed: Math.round(Date.now() / 1000), ...(drift && { drift }) });
  }

  async close(): Promise<void> {
    await this.#sink?.close();
    await this.#aside?.close();
  }

  /**
   * The output, which belongs to the stream once that has been written down: only then it may be replaced after a kill.
   */
  async #opened(): Promise<Sink> {
    if (this.#sink) return this.#sink;
    const { target, aside, stdout } = this.#settings;
    this.#state = { ...this.#state, ...this.#output(target.length), ...(aside && { aside }) };
    await this.#write();
    if (aside) this.#aside = await openEnd(aside.path, aside.length);
    this.#sink = await openSink(target, this.#rows!.columns, stdout);
    return this.#sink;
  }

  #output(length: number): Pick<StreamState, "output" | "aside"> {
    const { path, format, guardFormulas } = this.#settings.target;
    const aside = this.#aside && { aside: { path: this.#settings.aside!.path, length: this.#aside.length } };
    if (path === undefined) return { ...aside };
    const columns = this.#rows!.columns.map(({ name }) => name);
    return { ...aside, output: { path, format, ...(guardFormulas && { guardFormulas }), columns, length } };
  }
}
