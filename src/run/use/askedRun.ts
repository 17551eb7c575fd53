/** A run that is asked again and again: its model and its rows stay open, so that an answer takes a moment. */

import type { OpenedRows } from "../../files/openRows.ts";
import { AskedModel } from "../../model/askedModel.ts";
import type { Model } from "../../model/model.ts";
import type { Run } from "../folder/openRun.ts";

export class AskedRun {
  /** What answers. */
  readonly model: AskedModel;
  readonly #model: Model;
  readonly #opened: OpenedRows;

  private constructor(asked: AskedModel, model: Model, opened: OpenedRows) {
    this.model = asked;
    this.#model = model;
    this.#opened = opened;
  }

  /** Of a run whose rows can be read. */
  static async open(run: Run): Promise<AskedRun> {
    const opened = await run.rows(undefined);
    try {
      const model = await run.model();
      const summaries = await run.summaries();
      const { missingOf, features } = opened;
      const asked = new AskedModel(model, {
        data: await model.features(opened.data),
        ...(summaries && { summaries }),
        // Behind a frozen encoder everything is about its features, which have no names.
        ...(!model.encoder && { features }),
        ...(missingOf && { filledOf: async (place) => (await missingOf([place])).get(place) }),
      });
      return new AskedRun(asked, model, opened);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#model.close();
    await this.#opened.close();
  }
}
