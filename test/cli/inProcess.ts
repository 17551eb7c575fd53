import { run } from "../../src/cli/program.ts";
import type { Writer } from "../../src/cli/progress.ts";

/** What was written, in place of a stream. */
export class Paper implements Writer {
  text = "";
  readonly isTTY: boolean;
  readonly columns?: number;

  constructor({ isTTY = false, columns }: { isTTY?: boolean; columns?: number } = {}) {
    this.isTTY = isTTY;
    if (columns !== undefined) this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }

  get lines(): string[] {
    return this.text.split("\n").slice(0, -1);
  }
}

/** Runs a command in this process, as far as it goes without training. */
export async function telltale(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [new Paper(), new Paper()];
  const code = await run(words, { out, err, signal: new AbortController().signal });
  return { code, out: out.text, err: err.text };
}
