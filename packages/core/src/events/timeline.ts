import type { AttemptFailure } from "../errors/provider-error.ts";
import type { TimelineStep } from "../ports/usage-store.ts";
import { encodeUtf8 } from "../wire/bytes.ts";

const maxBytes = 2_048;
/** Left for the step "answered". */
const answeredBytes = 50;
/** `{"step":"","at":,"detail":""},` with a time of ten digits. */
const overheadBytes = 42;
const maxDetail = 128;
const maxMessage = 300;
const plain = /^[ !#-[\]-~]*$/;

/** The steps of one request. Those that would exceed 2 KiB as JSON are left out, except "answered". */
export class Timeline {
  readonly #startedAt: number;
  readonly #steps: TimelineStep[] = [];
  #bytes = 2;

  /** `startedAt` is in milliseconds since the Unix epoch. */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  get steps(): readonly TimelineStep[] {
    return this.#steps;
  }

  /** Adds a step at this time. A detail is cut at 128 characters. */
  add(step: string, detail?: string): void {
    const at = Date.now() - this.#startedAt;
    const kept = detail?.slice(0, maxDetail);
    const bytes = overheadBytes + step.length + (kept === undefined ? 0 : byteBound(kept));
    if (!this.#hasRoom(bytes) && step !== "answered") return;
    this.#bytes += bytes;
    this.#steps.push(kept === undefined ? { step, at } : { step, at, detail: kept });
  }

  /**
   * Adds an attempt that failed, with what the upstream said. Its message is cut at 300 characters, and left out if it
   * does not fit.
   */
  addFailure({ failure, upstreamStatus, upstreamMessage }: AttemptFailure): void {
    const step = {
      step: "attempt.failed",
      at: Date.now() - this.#startedAt,
      detail: failure,
      ...(upstreamStatus === undefined ? {} : { status: upstreamStatus }),
    };
    const message = upstreamMessage?.slice(0, maxMessage);
    for (const each of message === undefined ? [step] : [{ ...step, message }, step]) {
      // With the comma after it.
      const bytes = encodeUtf8(JSON.stringify(each)).length + 1;
      if (!this.#hasRoom(bytes)) continue;
      this.#bytes += bytes;
      this.#steps.push(each);
      return;
    }
  }

  #hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= maxBytes - answeredBytes;
  }
}

/** An upper bound of the bytes of a text in JSON: an escape such as \u0001 has six. */
const byteBound = (text: string): number => (plain.test(text) ? text.length : 6 * text.length);
