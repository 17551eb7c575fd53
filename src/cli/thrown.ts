/** What was thrown, in words, whatever it is: an error of ours, of the system, of the engine, or no error at all. */

import { inWords } from "../disk/cannotWrite.ts";

const debugging = "TELLTALE_DEBUG=1 shows where it happened";

/** How the language itself complains, where nobody of us has said a word: no "where:" before it. */
const engineWords = new RegExp(
  `^[^:]*(${[
    "is not (a function|iterable|defined|a constructor|an object|extensible)",
    "^Cannot (read|set|destructure|convert|access|assign|add|delete|mix|perform|create|spread|use|redefine)",
    "Invalid (array|string|typed array|array buffer|ArrayBuffer|DataView|count|time|left-hand)",
    "Array buffer allocation failed|Maximum call stack|out of bounds|out of range|Reduce of empty|read.only property",
    "Assignment to constant|circular structure|^Class constructor|called on incompatible|argument must be between",
    "^Unexpected (token|end|identifier|non-whitespace|number|string)|is not valid JSON|in JSON at position",
    "before initialization|^Method |^Reflect\\.|^undefined$|^null$|BigInt",
  ].join("|")})`,
);

export function wordsOf(thrown: unknown): string {
  const message = messageOf(thrown);
  if (message === "") return `failed without a reason; ${debugging}`;
  const system = systemError(thrown);
  if (system !== undefined) return system;
  if (isError(thrown) && !engineWords.test(message)) return message;
  return `met something it was not made for (${message}); please report it: ${debugging}`;
}

/** Where in the code it came from, for whoever asks. */
export function traceOf(thrown: unknown): string {
  return textAt(thrown, "stack") ?? messageOf(thrown);
}

/** What it says by itself. Several that failed together say so one after the other. */
function messageOf(thrown: unknown, depth = 0): string {
  const own = textAt(thrown, "message")?.trim();
  if (own) return own;
  const together = valueAt(thrown, "errors");
  if (depth < 2 && Array.isArray(together)) {
    const all = together.slice(0, 3).map((each) => messageOf(each, depth + 1));
    return all.filter(Boolean).join("; ");
  }
  if (isError(thrown)) return "";
  try {
    const said = typeof thrown === "object" && thrown !== null ? JSON.stringify(thrown) : String(thrown);
    return said === undefined || said === "{}" || said === "undefined" || said === "null" ? "" : said;
  } catch {
    return "";
  }
}

/** What the system refused, where nobody has said it in our words: those begin with a path, these with a code. */
function systemError(thrown: unknown): string | undefined {
  const [code, syscall, message] = ["code", "syscall", "message"].map((name) => textAt(thrown, name));
  if (code === undefined || !/^E[A-Z0-9]{2,}$/.test(code)) return undefined;
  if (syscall === undefined && !message?.startsWith(code)) return undefined;
  const where = textAt(thrown, "dest") ?? textAt(thrown, "path");
  const unknown = `the system says ${code}; ${debugging}`;
  return inWords(code, where) ?? (where === undefined ? unknown : `${where}: ${unknown}`);
}

function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

function textAt(thrown: unknown, name: string): string | undefined {
  const found = valueAt(thrown, name);
  return typeof found === "string" ? found : undefined;
}

/** A property of something that may be anything, and may throw when it is looked at. */
function valueAt(thrown: unknown, name: string): unknown {
  try {
    return (thrown as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}
