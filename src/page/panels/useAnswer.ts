/** An answer of the source for what is looked at now: the last one stays until the next is here. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export interface Answered<T> {
  readonly value: T | undefined;
  readonly isWaiting: boolean;
  readonly problem: string;
}

/** `keys` say for what it is asked: with others it is asked anew. */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Answered<T> {
  const answered = useSignal<Answered<T>>({ value: undefined, isWaiting: true, problem: "" });
  useEffect(() => {
    const ending = new AbortController();
    answered.value = { ...answered.peek(), isWaiting: true, problem: "" };
    ask(ending.signal).then(
      (value) => {
        if (!ending.signal.aborted) answered.value = { value, isWaiting: false, problem: "" };
      },
      (error: unknown) => {
        if (ending.signal.aborted) return;
        answered.value = { value: undefined, isWaiting: false, problem: error instanceof Error ? error.message : "" };
      },
    );
    return () => ending.abort();
  }, keys);
  return answered.value;
}
