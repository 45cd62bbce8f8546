import type { ModelTarget } from "../catalogue/model.ts";
import { UpstreamCall } from "../routing/upstream-call.ts";
import type { Services } from "../services.ts";
import type { Held } from "../steps/hold-balance.ts";
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

  /** The target was called; until then nobody works, and nobody bills. */
  get called(): boolean {
    return this.#called;
  }

  /** Calls the target; what comes goes to the listener, and so does the failure to call. */
  async start(listener: UpstreamListener): Promise<void> {
    this.#called = true;
    try {
      this.upstream.open(await this.target.provider.stream(this.#call), listener);
      // It may have ended while the target was called.
      if (this.#ended) this.upstream.close();
    } catch (cause) {
      listener.fail(cause);
    }
  }

  /** Ends whatever is left of it. */
  end(cause: unknown): void {
    this.#ended = true;
    this.#call.abort(cause);
    this.upstream.close();
  }

  /** Nothing more is wanted, though what is on its way may come to its end. */
  finish(): void {
    this.#ended = true;
  }
}
