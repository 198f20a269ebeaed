/** The rendezvous door as a page calls it. */

import { open, seal } from "./envelopes.js";

const WAIT_MS = 50000;

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

export class Door {
  #base;
  #headers;
  #seen = new Set();

  /** @param token may be empty: the door may ask for none */
  constructor(base, token) {
    this.#base = base;
    this.#headers = token ? { Authorization: `Bearer ${token}` } : {};
  }

  async post(key, mailbox, message) {
    const body = await seal(key, mailbox, message);
    await this.#call("POST", mailbox, body);
  }

  /** The next message, however long it takes. A message that does not open came from a stranger. */
  async take(key, mailbox) {
    for (;;) {
      const response = await this.#call("GET", `${mailbox}?wait_ms=${WAIT_MS}`);
      const sequence = response.headers.get("X-Message-Sequence");
      // A message can come twice: the second time its sequence is known.
      if (response.status === 200 && !this.#seen.has(sequence)) {
        this.#seen.add(sequence);
        try {
          return await open(key, mailbox, await response.arrayBuffer());
        } catch (error) {
          console.warn("An envelope could not be opened", error);
        }
      }
    }
  }

  async #call(method, path, body) {
    for (;;) {
      const response = await fetch(`${this.#base}/v1/mailbox/${path}`, {
        method,
        body,
        headers: this.#headers,
        credentials: "omit",
      });
      if (response.ok) {
        return response;
      }
      const retryAfter = Number(response.headers.get("Retry-After"));
      if (!retryAfter) {
        throw new Error(`${response.status}: ${await response.text()}`);
      }
      await pause(retryAfter);
    }
  }
}
