/**
 * What is promised; or an error, where it has not come within so many milliseconds, or when the signal says that nobody
 * waits for it.
 */
export async function answered<T>(promise: Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T> {
  let end: () => void = () => {};
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error("timeout")), milliseconds);
    const stop = (): void => reject(signal!.reason);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    };
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    end();
  }
}
