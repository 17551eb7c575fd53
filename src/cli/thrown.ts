/** What was thrown, in words, whatever it is: an error of ours, of the system, of the engine, or no error at all. */

/** What the system's codes mean to people; a code that is not here stands for itself. */
const systemWords: Readonly<Record<string, string>> = {
  EACCES: "not allowed",
  EAGAIN: "the system is too busy; try again",
  EBADF: "it is closed already",
  EBUSY: "somebody else is using it",
  EDQUOT: "the disk space you may use is full",
  EEXIST: "it is there already",
  EFBIG: "it would be larger than files may be here",
  EINVAL: "the system cannot do this with it",
  EIO: "the disk cannot be read or written",
  EISDIR: "it is a folder, and must be a file",
  ELOOP: "its links lead in a circle",
  EMFILE: "too many files are open; raise the limit with: ulimit -n 4096",
  ENAMETOOLONG: "its name is too long",
  ENFILE: "too many files are open on this machine",
  ENODEV: "there is no such device",
  ENOENT: "there is no such file or folder",
  ENOMEM: "there is not enough memory",
  ENOSPC: "the disk is full; make room",
  ENOTDIR: "a part of its path is no folder",
  ENOTEMPTY: "the folder is not empty",
  ENXIO: "nobody is at its other end",
  EPERM: "not allowed",
  EROFS: "the disk is read-only",
  ESRCH: "there is no such process",
  ETXTBSY: "it is a program that is running",
  EXDEV: "it is on another disk",
};

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
  const words = Object.hasOwn(systemWords, code) ? systemWords[code] : `the system says ${code}; ${debugging}`;
  const where = textAt(thrown, "path") ?? textAt(thrown, "dest");
  return where === undefined ? `${words}` : `${where}: ${words}`;
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
