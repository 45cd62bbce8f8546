import type { BufferBudget } from "./buffer-budget.ts";

/** The bytes of one response that its client has not read yet. */
export class UnreadBytes {
  /** When the client last read some, in milliseconds since the Unix epoch. */
  lastReadAt = Date.now();
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
    this.lastReadAt = Date.now();
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
