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
