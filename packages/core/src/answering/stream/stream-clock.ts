import { outOfTime } from "../../errors/ended-early.ts";
import type { ProviderError } from "../../errors/provider-error.ts";
import type { TargetLimits } from "../../ports/model.ts";
import type { Services } from "../../request/services.ts";
import type { StreamTranslator } from "../../streaming/stream-translator.ts";
import { ClientClock } from "./client-clock.ts";
import type { ClientSide } from "./client-side.ts";

/** What a look at the clock says is due. */
export type Due = "commit" | "keep-alive" | "stalled" | "read-enough" | ProviderError | undefined;

/**
 * Keeps all times of one stream. It looks only now and then at counters that the stream keeps anyway, so that
 * a frame costs no clock.
 */
export class StreamClock {
  readonly #services: Pick<Services, "streams" | "money">;
  readonly #openedAt = Date.now();
  #frames = 0;
  #framesAt = this.#openedAt;
  readonly #client: ClientClock;
  #goneAt: number | undefined;
  clientHasGone = false;
  #limits: TargetLimits;

  constructor(services: Pick<Services, "streams" | "money">, limits: TargetLimits) {
    this.#services = services;
    this.#limits = limits;
    this.#client = new ClientClock(services.streams);
  }

  /** Another upstream with these limits is called after so many milliseconds: from then on its first frame is waited for. */
  restart(waitMs: number, limits: TargetLimits): void {
    this.#limits = limits;
    this.#frames = 0;
    this.#framesAt = Date.now() + waitMs;
  }

  /** What is due now; time during which the client keeps the stream paused does not count against the upstream. */
  look(now: number, translator: StreamTranslator, client: ClientSide, paused: boolean, committed: boolean): Due {
    const { streams } = this.#services;
    const limits = this.#limits;
    if (this.clientHasGone) return this.#readEnough(now);
    if (this.#client.stalled(now, client)) return "stalled";
    this.#noteFrames(now, translator, paused);
    const silent = this.#client.silent(now, client);
    const quiet = now - this.#framesAt;
    if (now - this.#openedAt >= limits.totalMs) return outOfTime("total", limits.totalMs);
    if (this.#frames === 0 && quiet >= limits.firstFrameMs) return outOfTime("first frame", limits.firstFrameMs);
    if (this.#frames > 0 && quiet >= limits.idleMs) return outOfTime("idle", limits.idleMs);
    if (!committed) return now - this.#openedAt >= streams.responseStartTimeoutMs ? "commit" : undefined;
    return silent && !paused ? "keep-alive" : undefined;
  }

  /** True when the client has left bytes lying for too long. */
  stalled(now: number, client: ClientSide): boolean {
    return this.#client.stalled(now, client);
  }

  #readEnough(now: number): Due {
    this.#goneAt ??= now;
    const { readOnMs } = this.#services.money;
    const isEnough = now - this.#goneAt >= readOnMs || now - this.#openedAt >= this.#limits.totalMs;
    return isEnough ? "read-enough" : undefined;
  }

  #noteFrames(now: number, translator: StreamTranslator, paused: boolean): void {
    if (!paused && translator.frames === this.#frames) return;
    this.#frames = translator.frames;
    this.#framesAt = now;
  }
}
