import { type Answer, ApiError } from "./api-error.ts";

interface Saved {
  readonly request: string;
  answer?: Answer;
}

/**
 * Answers repeated requests as the first one, for a day, errors of the server among them. A request that was refused before it was
 * executed is not saved. https://docs.stripe.com/api/idempotent_requests
 */
export class IdempotencyKeys {
  readonly #saved = new Map<string, Saved>();

  /** Returns the answer, and whether it is that of an earlier request. `request` is compared with the earlier one. */
  async run(
    key: string | undefined,
    request: string,
    run: () => Promise<Answer>,
  ): Promise<{ answer: Answer; replayed: boolean }> {
    if (key === undefined) return { answer: await run(), replayed: false };
    const known = this.#saved.get(key);
    if (known !== undefined) return { answer: replay(known, request, key), replayed: true };
    const saved: Saved = { request };
    this.#saved.set(key, saved);
    const answer = await run();
    if (answer.status === 400) this.#saved.delete(key);
    saved.answer = answer;
    return { answer, replayed: false };
  }

  /** Forgets all keys, as Stripe does after a day. */
  forget(): void {
    this.#saved.clear();
  }
}

function replay(saved: Saved, request: string, key: string): Answer {
  if (saved.request !== request) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    return new ApiError(400, { type: "idempotency_error", message }).answer;
  }
  if (saved.answer !== undefined) return saved.answer;
  const message = `There is currently another in-progress request using this Stripe-Idempotency-Key '${key}'.`;
  return new ApiError(409, { type: "invalid_request_error", code: "idempotency_key_in_use", message }).answer;
}
