import type { ClientRequest } from "../../ports/client-request.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import { withinTime } from "../../runtime/timers.ts";

const betweenMs = 600_000;
const mostCalls = 100;

/** What a sweep needs: the store, and how long it may take to answer, in milliseconds. */
export interface SweptSessions {
  readonly sessions: Pick<SessionStore, "expire">;
  readonly storeTimeoutMs: number;
}

/** Removes expired sessions in the background, at most once in ten minutes; a failure is left to the next time. */
export class SessionSweep {
  readonly #services: SweptSessions;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(services: SweptSessions) {
    this.#services = services;
  }

  /** Begins a sweep when it is time for one, and gives it to `waitUntil` if the host needs that. Returns at once, and never throws. */
  start({ waitUntil }: Pick<ClientRequest, "waitUntil">): void {
    const now = performance.now();
    if (now < this.#notBefore) return;
    this.#notBefore = now + betweenMs;
    const swept = this.#removeAll().catch(() => undefined);
    waitUntil?.(swept);
  }

  /** A store removes so many at a time, and says 0 when there are no more. */
  async #removeAll(): Promise<void> {
    const { sessions, storeTimeoutMs } = this.#services;
    for (let calls = 0; calls < mostCalls; calls++) {
      const removed = await withinTime(Promise.resolve(sessions.expire()), storeTimeoutMs);
      if (!(removed > 0)) return;
    }
  }
}
