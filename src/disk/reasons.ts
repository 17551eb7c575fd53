/** What the system's codes of failed reading and writing mean, in words. */

/** By the system's code: what has happened, the words by which other programs say it, and the cure. */
export const reasons: Readonly<Record<string, readonly [why: string, words: string, cure: string]>> = {
  ENOSPC: ["the disk is full", "No space left on device", "make room, or choose another place"],
  EDQUOT: ["your share of the disk is used up", "Disk quota exceeded", "make room, or choose another place"],
  EROFS: ["the disk is read-only", "Read-only file system", "choose another place"],
  EACCES: ["not allowed", "Permission denied", "choose another place, or ask for the right to write there"],
  EPERM: ["not allowed", "Operation not permitted", "choose another place, or ask for the right to write there"],
  ENOENT: ["its folder is not there", "No such file or directory", "make the folder first"],
  ENOTDIR: ["a part of its path is a file, not a folder", "Not a directory", "choose another place"],
  EISDIR: ["it is a folder", "Is a directory", "name a file"],
  EEXIST: ["something is there already", "File exists", "choose another name"],
  ENAMETOOLONG: ["its name is too long", "File name too long", "choose a shorter one"],
  ELOOP: [
    "its links lead in a circle, or are not followed",
    "Too many levels of symbolic links",
    "name the place itself",
  ],
  EMFILE: ["too many files are open", "Too many open files", "close some, or raise the limit (ulimit -n)"],
  ENFILE: ["too many files are open", "Too many open files in system", "close some programs"],
  EFBIG: ["a file there cannot become so large", "File too large", "choose another disk"],
  EIO: ["the disk has failed", "Input/output error", "choose another disk, and look after this one"],
  EBUSY: ["it is in use", "Device or resource busy", "wait for whoever uses it"],
  EXDEV: ["it lies on another disk", "Invalid cross-device link", "choose another place"],
  ENOTEMPTY: ["the folder is not empty", "Directory not empty", "choose another place"],
  EAGAIN: ["the system is too busy", "Resource temporarily unavailable", "try again"],
  ENOMEM: ["there is not enough memory", "Cannot allocate memory", "close some programs"],
  EINVAL: ["the system cannot do this with it", "Invalid argument", "choose another file"],
  EBADF: ["it is closed already", "Bad file descriptor", "try again"],
  ENXIO: ["nobody is at its other end", "No such device or address", "choose another file"],
  ENODEV: ["there is no such device", "No such device", "choose another file"],
  ETXTBSY: ["it is a program that is running", "Text file busy", "choose another file"],
};

/** The system's code of an error, or of one that another program tells in words. */
export function codeOf(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && Object.hasOwn(reasons, code)) return code;
  const lower = String(message).toLowerCase();
  return Object.keys(reasons).find((each) => lower.includes(reasons[each]![1].toLowerCase()));
}

/** Why the system has refused, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known = codeOf(error);
  return known === undefined ? (code ?? message) : reasons[known]![0];
}
