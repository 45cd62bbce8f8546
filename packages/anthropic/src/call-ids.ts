/**
 * Maps the ids of the calls in one history to ids that the API accepts: letters, digits, "_" and "-", each id used once.
 * Other providers use other characters, and some restart their numbering in each answer.
 */
export class CallIds {
  /** For each id in the history: the ids that were sent for its calls, and how many of them have a result. */
  readonly #sent = new Map<string, { readonly ids: string[]; answered: number }>();
  readonly #used = new Set<string>();
  #repeated = 0;

  /** Returns the id to send for the next call. */
  forCall(id: string): string {
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

  /** Returns the id to send for the next result. If calls share an id, their results are matched in order. */
  forResult(id: string): string {
    const calls = this.#sent.get(id);
    if (calls === undefined) return toPlain(id);
    calls.answered += 1;
    return calls.ids[calls.answered - 1] ?? calls.ids.at(-1) ?? toPlain(id);
  }
}

const toPlain = (id: string): string => id.replace(/[^\w-]/g, "_") || "_";
