import type { SessionLimits } from "../ports/session-store.ts";

interface Usage {
  sessions: number;
  bytes: number;
}

/** Tracks the number and the bytes of the sessions of each account. */
export class MemorySessionUsage {
  readonly #accounts = new Map<string, Usage>();

  bytesOf(account: string): number {
    return this.#accounts.get(account)?.bytes ?? 0;
  }

  /** Returns the limit that the account would exceed with one more session of this size. */
  exceeded(account: string, bytes: number, limits: SessionLimits): keyof SessionLimits | undefined {
    const used = this.#accounts.get(account) ?? none;
    if (used.sessions + 1 > (limits.sessions ?? Number.POSITIVE_INFINITY)) return "sessions";
    return used.bytes + bytes > (limits.bytes ?? Number.POSITIVE_INFINITY) ? "bytes" : undefined;
  }

  change(account: string, sessions: number, bytes: number): void {
    const used = this.#accounts.get(account) ?? none;
    const after = { sessions: used.sessions + sessions, bytes: used.bytes + bytes };
    if (after.sessions === 0) this.#accounts.delete(account);
    else this.#accounts.set(account, after);
  }
}

const none: Usage = { sessions: 0, bytes: 0 };
