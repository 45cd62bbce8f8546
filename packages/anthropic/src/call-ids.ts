/**
 * The ids of the calls in one history as the API takes them: of letters, digits, "_" and "-", and none of them twice.
 * Other providers use further characters, and some count their calls anew in each answer.
 */
export class CallIds {
  /** By the id that the history has: what was sent for its calls, and how many of them have a result. */
  readonly #sent = new Map<string, { readonly ids: string[]; answered: number }>();
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
    const calls = this.#sent.get(id);
    if (calls === undefined) this.#sent.set(id, { ids: [sent], answered: 0 });
    else calls.ids.push(sent);
    return sent;
  }

  /** The id that was sent for the call whose result comes next: calls of one id have their results in their order. */
  ofResult(id: string): string {
    const calls = this.#sent.get(id);
    if (calls === undefined) return toPlain(id);
    calls.answered += 1;
    return calls.ids[calls.answered - 1] ?? calls.ids.at(-1) ?? toPlain(id);
  }
}

const toPlain = (id: string): string => id.replace(/[^\w-]/g, "_") || "_";
