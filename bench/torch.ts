/** PyTorch as a peer: a child process that makes training steps when asked and answers with their times. */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

export class Torch {
  readonly settings: string;
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  private constructor(settings: string, process: ChildProcess, answers: AsyncIterator<string>) {
    this.settings = settings;
    this.#process = process;
    this.#answers = answers;
  }

  /** Undefined where python3 has no torch. */
  static async start(device: "cpu" | "cuda"): Promise<Torch | undefined> {
    // The script stays in bench/; this file may run from dist/bench/.
    const script = fileURLToPath(
      new URL(
        import.meta.url.includes("/dist/") ? "../../bench/peers/torch_steps.py" : "peers/torch_steps.py",
        import.meta.url,
      ),
    );
    const child = spawn("python3", [script, device], { stdio: ["pipe", "pipe", "ignore"] });
    child.on("error", () => undefined);
    const lines: Interface = createInterface({ input: child.stdout });
    const answers = lines[Symbol.asyncIterator]();
    const first = await answers.next();
    return first.done ? undefined : new Torch(JSON.parse(first.value).settings, child, answers);
  }

  /** Milliseconds of each step. */
  async steps(network: "dense" | "conv", count: number): Promise<number[]> {
    this.#process.stdin!.write(`${network} ${count}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("bench: the PyTorch process ended");
    return JSON.parse(value);
  }

  stop(): void {
    this.#process.stdin!.end();
  }
}
