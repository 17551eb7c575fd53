/** A smaller input with the same fault: bytes are taken away, larger pieces first, as long as it stays (ddmin). */

import type { Content, Input } from "./input.ts";

type HasFault = (input: Input) => Promise<boolean>;

/** `most` is how often it may be tried. */
export async function minimised(input: Input, hasFault: HasFault, most = 200): Promise<Input> {
  let [small, left] = [input, most];
  const keepsFault = async (smaller: Input): Promise<boolean> => {
    if (left-- <= 0 || !(await hasFault(smaller))) return false;
    small = smaller;
    return true;
  };
  for (const sample of input.samples) {
    await keepsFault({ ...small, samples: small.samples.filter((each) => each !== sample) });
  }
  for (const [name, content] of Object.entries(input.files)) {
    const bytes = plainBytes(content);
    if (!bytes) continue;
    let rest = Buffer.from(bytes);
    for (
      let piece = Math.ceil(rest.length / 2);
      piece >= 1 && left > 0;
      piece = piece === 1 ? 0 : Math.ceil(piece / 2)
    ) {
      for (let at = 0; at < rest.length && left > 0; ) {
        const without = Buffer.concat([rest.subarray(0, at), rest.subarray(at + piece)]);
        const files: Record<string, Content> = { ...small.files, [name]: without };
        if (await keepsFault({ ...small, files })) rest = without;
        else at += piece;
      }
    }
  }
  return small;
}

function plainBytes(content: Content): Uint8Array | undefined {
  if (typeof content === "string") return Buffer.from(content);
  if (content instanceof Uint8Array) return content;
  return "base64" in content ? Buffer.from(content.base64, "base64") : undefined;
}
