import type { ModelTarget } from "../catalogue/model.ts";
import { UpstreamCall } from "../routing/upstream-call.ts";
import type { Services } from "../services.ts";
import type { Held } from "../steps/hold-balance.ts";
import { wait } from "../timers.ts";
import { StreamTranslator } from "./stream-translator.ts";
import { type UpstreamListener, UpstreamSide } from "./upstream-side.ts";

/** One attempt at a streamed answer: the call of one target, and the translation of what comes of it. */
export class StreamAttempt {
  readonly target: ModelTarget;
  readonly translator: StreamTranslator;
  readonly upstream: UpstreamSide;
  readonly #call: UpstreamCall;
  #called = false;
  #ended = false;
  #callOff: (() => void) | undefined;

  constructor(services: Services, held: Held, target: ModelTarget) {
    this.target = target;
    this.translator = new StreamTranslator({
      model: held.model.id,
      id: `chatcmpl-${held.requestId}`,
      created: Math.floor(held.startedAt / 1000),
    });
    this.upstream = new UpstreamSide(this.translator);
    this.#call = new UpstreamCall(services, held, target);
  }

  /** True once the target was called. */
  get called(): boolean {
    return this.#called;
  }

  /** Calls the target after a wait in milliseconds; what comes goes to the listener, and so does the failure to call. */
  begin(waitMs: number, listener: UpstreamListener): void {
    if (waitMs === 0) void this.#start(listener);
    else this.#callOff = wait(waitMs, () => void this.#start(listener));
  }

  /** Ends whatever is left of it. */
  end(cause: unknown): void {
    this.#ended = true;
    this.#callOff?.();
    this.#call.abort(cause);
    this.upstream.close();
  }

  async #start(listener: UpstreamListener): Promise<void> {
    this.#called = true;
    try {
      this.upstream.open(await this.target.provider.stream(this.#call), listener);
      // It may have ended while the target was called.
      if (this.#ended) this.upstream.close();
    } catch (cause) {
      listener.fail(cause);
    }
  }
}
