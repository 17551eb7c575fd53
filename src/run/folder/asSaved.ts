/** A value as a file of JSON gives it back: what is no number is null, what is undefined is gone. */
export function asSaved<T>(value: T, replacer?: (key: string, value: unknown) => unknown): T {
  return JSON.parse(JSON.stringify(value, replacer)) as T;
}
