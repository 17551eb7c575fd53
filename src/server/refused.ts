/** What is not done, with the status that says whose fault that is. */

export class Refused extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

export function notFound(what: string): Refused {
  return new Refused(404, `there is no ${what}`);
}

/** What the library refuses is said as it says it; anything else is ours, and nobody's business in detail. */
export function refusalOf(error: unknown, command: string): { readonly status: number; readonly sentence: string } {
  if (error instanceof Refused) return { status: error.status, sentence: error.message };
  if (error instanceof RangeError || error instanceof TypeError) return { status: 422, sentence: error.message };
  const known = error instanceof Error ? (process.env.TELLTALE_DEBUG ? error.stack : error.message) : String(error);
  process.stderr.write(`${command}: ${known}\n`);
  return { status: 500, sentence: `something has failed here; ${command} says what` };
}
