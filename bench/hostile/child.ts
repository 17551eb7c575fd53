/** The process in which inputs are tried one after another: one that kills it is known by its being the last. */

import { run } from "../../src/cli/program.ts";
import { halfIn, type Said } from "./whole.ts";

/** Either a command to be carried out here, or only what one has left to be looked at. */
export interface Asked extends Said {
  readonly isCheck: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly half?: string;
}

const most = 1_000_000;

class Paper {
  text = "";
  readonly isTTY = false;

  write(text: string): void {
    if (this.text.length < most) this.text += text;
  }
}

process.on("message", async ({ isCheck, words, out: printed, cwd, env }: Asked) => {
  Object.assign(process.env, env);
  process.chdir(cwd);
  const [out, err] = [new Paper(), new Paper()];
  const code = isCheck ? 0 : await run(words, { out, err, signal: new AbortController().signal } as never);
  const half = code === 0 ? await halfIn({ words, out: isCheck ? printed : out.text }) : undefined;
  process.send!({ code, out: out.text.slice(-20_000), err: err.text.slice(-20_000), ...(half && { half }) });
});
