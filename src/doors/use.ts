/**
 * A run opened and used, without what learns one: a command that only asks a model reads fewer files, and starts
 * sooner.
 */

import { openRunOn } from "../run/folder/openRun.ts";
import { nodeDevices } from "../runtime/nodeDevices.ts";

export { reasonWords, roleWords, valueWords } from "../data/columnReport.ts";
export { assignFile } from "../run/use/assignFile.ts";

/** Opens a finished run. */
export const openRun = openRunOn(nodeDevices);
