import { type ClientRequest, removeExpired, sweepIntervalMs } from "@tollgate/core/extension";
import type { SessionStore } from "@tollgate/core/store";

/** The services of a sweep: the store and its timeout in milliseconds. */
export interface SweptSessions {
  readonly sessions: Pick<SessionStore, "expire">;
  readonly storeTimeoutMs: number;
}

/** Removes expired sessions in the background, at most once in ten minutes. After a failure, the next sweep tries again. */
export class SessionSweep {
  readonly #services: SweptSessions;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(services: SweptSessions) {
    this.#services = services;
  }

  /** Starts a sweep if one is due, and passes it to `waitUntil`. Returns at once and never throws. */
  start({ waitUntil }: Pick<ClientRequest, "waitUntil">): void {
    const now = performance.now();
    if (now < this.#notBefore) return;
    this.#notBefore = now + sweepIntervalMs;
    const { sessions, storeTimeoutMs } = this.#services;
    const swept = removeExpired(sessions, storeTimeoutMs).catch(() => undefined);
    waitUntil?.(swept);
  }
}
