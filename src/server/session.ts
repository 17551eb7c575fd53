/** Who may ask: a token in the address's fragment, which no server and no log ever sees, exchanged for a cookie. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Refused } from "./refused.ts";

/** Wrong tokens after which no more are looked at: nobody guesses 256 bits, and nobody types that often. */
const mostWrong = 1000;

export class Sessions {
  /** 32 bytes, as text that an address takes. */
  readonly token = randomBytes(32).toString("base64url");
  readonly #value = randomBytes(32).toString("base64url");
  readonly #name: string;
  #wrong = 0;

  /** Cookies know no ports: the name does, so that two servers do not take each other's. */
  constructor(port: number) {
    this.#name = `telltale-${port}`;
  }

  /**
   * The cookie for a token: of this browser alone, never sent from another site, gone with the browser. The token is
   * good as long as the server runs: the address that was printed opens in a second browser, and once more in one that
   * was closed.
   */
  cookieFor(token: string): string {
    if (this.#wrong >= mostWrong) throw new Refused(429, "too many wrong tokens; start telltale view again");
    if (!isSame(token, this.token)) {
      this.#wrong++;
      throw new Refused(401, "the token is another than telltale view has printed");
    }
    return `${this.#name}=${this.#value}; Path=/; HttpOnly; SameSite=Strict`;
  }

  hasSession(cookies: string | undefined): boolean {
    const own = (cookies ?? "")
      .split(";")
      .map((cookie) => cookie.trim())
      .filter((cookie) => cookie.startsWith(`${this.#name}=`));
    return own.length === 1 && isSame(own[0]!.slice(this.#name.length + 1), this.#value);
  }
}

/** In a time that tells nothing. */
function isSame(given: string, own: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(own));
}
