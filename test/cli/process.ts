import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Settings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Its input stays open. */
  readonly endless?: boolean;
  /** Nobody reads what it prints. */
  readonly closed?: boolean;
  /** Called with what it has said so far, for whoever wants to interrupt. */
  readonly onStart?: (child: ChildProcess) => void;
  readonly onTalk?: (said: string, child: ChildProcess) => void;
}

/** The command as it is installed, in a process of its own. */
export function telltale(words: readonly string[], settings: Settings = {}): Promise<Ended> {
  const { cwd, env = {}, input = "", closed = false, endless = false, onStart, onTalk } = settings;
  const child = spawn(process.execPath, [main, ...words], { ...(cwd && { cwd }), env: { ...process.env, ...env } });
  let [out, err] = ["", ""];
  onStart?.(child);
  child.stdin.on("error", () => {});
  if (endless) child.stdin.write(input);
  else child.stdin.end(input);
  if (closed) child.stdout.destroy();
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
    onTalk?.(err, child);
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}
