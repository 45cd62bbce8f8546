import { steadyNow } from "../../runtime/timers.ts";

/** Limits the unread bytes of all clients together. */
export class BufferBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts bytes; a negative number releases them. */
  take(bytes: number): void {
    this.#used += bytes;
  }

  /** Bytes that are held at present. */
  get used(): number {
    return this.#used;
  }

  get exceeded(): boolean {
    return this.#used > this.#limit;
  }
}

/** The bytes of one response that its client has not read yet. */
export class UnreadBytes {
  /** When the client last read some, as a time of `steadyNow`. */
  lastReadAt = steadyNow();
  isHeld = true;
  #bytes: number;
  readonly #onCut: () => void;
  readonly #budget: BufferBudget;
  readonly #onEnd: (unread: UnreadBytes) => void;

  constructor(bytes: number, onCut: () => void, budget: BufferBudget, onEnd: (unread: UnreadBytes) => void) {
    this.#bytes = bytes;
    this.#onCut = onCut;
    this.#budget = budget;
    this.#onEnd = onEnd;
    budget.take(bytes);
  }

  /** Subtracts bytes that the client has read. */
  read(bytes: number): void {
    if (!this.isHeld) return;
    this.lastReadAt = steadyNow();
    this.#bytes -= bytes;
    this.#budget.take(-bytes);
  }

  /** Releases the remaining bytes. Idempotent. */
  end(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.#budget.take(-this.#bytes);
    this.#onEnd(this);
  }

  /** Releases the remaining bytes and ends the response. Idempotent. */
  cut(): void {
    if (!this.isHeld) return;
    this.end();
    this.#onCut();
  }
}
