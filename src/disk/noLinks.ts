/** Folders below one that somebody has named: a link among them would lead what is written there elsewhere. */

import { lstat } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** Refuses a path below a folder that leads through a link, or is one; the folder itself may be a link. */
export async function checkNoLinks(folder: string, path: string): Promise<void> {
  let place = folder;
  for (const part of relative(folder, path).split(sep)) {
    place = join(place, part);
    const there = await lstat(place).catch(() => undefined);
    if (!there) return;
    if (there.isSymbolicLink()) {
      throw new RangeError(
        `${place}: is a link, and nothing is written through one; put what it leads to there itself, or choose another place`,
      );
    }
  }
}
