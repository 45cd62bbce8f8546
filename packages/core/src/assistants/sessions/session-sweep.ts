import type { ClientRequest } from "../../ports/client-request.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import { withinTime } from "../../runtime/timers.ts";

const intervalMs = 600_000;
const maxCalls = 100;

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
    this.#notBefore = now + intervalMs;
    const swept = this.#removeAll().catch(() => undefined);
    waitUntil?.(swept);
  }

  /** Each call removes a batch, and returns 0 when no expired session is left. */
  async #removeAll(): Promise<void> {
    const { sessions, storeTimeoutMs } = this.#services;
    for (let calls = 0; calls < maxCalls; calls++) {
      const removed = await withinTime(Promise.resolve(sessions.expire()), storeTimeoutMs);
      if (!(removed > 0)) return;
    }
  }
}
