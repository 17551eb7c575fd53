import { methodOf } from "../../methods/methodOf.ts";
import type { Method } from "../../training/method.ts";
import type { RunDescription } from "./schemas/runDescription.ts";

/** What the method of a run is called and says about itself. */
export function aboutMethod({ settings }: Pick<RunDescription, "settings">): Pick<Method, "name" | "about" | "paper"> {
  const { method, methodFile } = settings;
  return methodFile ? { name: method, about: methodFile.about, paper: methodFile.paper } : methodOf(method);
}
