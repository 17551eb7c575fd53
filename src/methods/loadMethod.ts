/** The method of a name; teachers, which are many files, are loaded only where the name is one of theirs. */

import type { Method } from "../training/method.ts";
import { isMethodName, methods } from "./index.ts";

export async function loadMethod(name: string): Promise<Method> {
  return isMethodName(name) ? methods[name] : (await import("./methodOf.ts")).methodOf(name);
}
