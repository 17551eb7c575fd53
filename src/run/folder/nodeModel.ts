/** A model in Node, which can be saved. */

import { Model } from "../../model/model.ts";
import type { SaveOptions } from "./saveModel.ts";

export class NodeModel extends Model {
  /** Writes a run folder; `load` opens it again. */
  async save(path: string, options: SaveOptions = {}): Promise<void> {
    // What writes folders is loaded by whoever writes one: most only ask.
    const { save } = await import("./saveModel.ts");
    return save(this, path, options);
  }
}
