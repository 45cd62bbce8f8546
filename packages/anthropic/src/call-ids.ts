/**
 * The ids of the calls in one history as the API takes them: of letters, digits, "_" and "-", and none of them twice.
 * Other providers use further characters, and some count their calls anew in each answer.
 */
export class CallIds {
  /** By the id that the history has: the last call of it. */
  readonly #sent = new Map<string, string>();
  readonly #used = new Set<string>();
  #repeated = 0;

  /** The id to send for the next call. */
  ofCall(id: string): string {
    const plain = toPlain(id);
    let sent = plain;
    while (this.#used.has(sent)) {
      this.#repeated += 1;
      sent = `${plain}_${this.#repeated}`;
    }
    this.#used.add(sent);
    this.#sent.set(id, sent);
    return sent;
  }

  /** The id that was sent for the call whose result comes next. */
  ofResult(id: string): string {
    return this.#sent.get(id) ?? toPlain(id);
  }
}

const toPlain = (id: string): string => id.replace(/[^\w-]/g, "_");
