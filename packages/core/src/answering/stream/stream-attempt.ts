import type { FailureContext } from "../../failures/failure.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import { wait } from "../../runtime/timers.ts";
import { StreamTranslator } from "../../streaming/stream-translator.ts";
import { UpstreamCall } from "../call/upstream-call.ts";
import { type UpstreamListener, UpstreamSide } from "./upstream-side.ts";

/** What an attempt tells of: bytes for the client, and its one end. */
export interface AttemptListener {
  attemptGave(attempt: StreamAttempt, bytes: Uint8Array | undefined): void;
  attemptClosed(attempt: StreamAttempt): void;
  attemptFailed(attempt: StreamAttempt, cause: unknown): void;
}

/** One attempt at a streamed answer: the call of one target, and the translation of what comes of it. */
export class StreamAttempt implements UpstreamListener {
  readonly target: ModelTarget;
  readonly translator: StreamTranslator;
  readonly upstream: UpstreamSide;
  readonly #call: UpstreamCall;
  readonly #listener: AttemptListener;
  #called = false;
  #ended = false;
  #callOff: (() => void) | undefined;

  constructor(services: Services, held: Held, target: ModelTarget, listener: AttemptListener) {
    this.target = target;
    this.#listener = listener;
    this.translator = new StreamTranslator({
      model: held.model.id,
      id: `chatcmpl-${held.requestId}`,
      created: Math.floor(held.startedAt / 1000),
      failureContext: () => this.#failureContext(),
    });
    this.upstream = new UpstreamSide(this.translator, this);
    this.#call = new UpstreamCall(services, held, target);
  }

  /** True once the target was called. */
  get called(): boolean {
    return this.#called;
  }

  /** Calls the target after a wait in milliseconds; what comes goes to the listener, and so does the failure to call. */
  begin(waitMs: number): void {
    if (waitMs === 0) void this.#start();
    else this.#callOff = wait(waitMs, () => void this.#start());
  }

  give(bytes: Uint8Array | undefined): void {
    this.#listener.attemptGave(this, bytes);
  }

  close(): void {
    this.#listener.attemptClosed(this);
  }

  fail(cause: unknown): void {
    this.#listener.attemptFailed(this, cause);
  }

  /** Ends whatever is left of it. */
  end(cause: unknown): void {
    this.#ended = true;
    this.#callOff?.();
    this.#call.abort(cause);
    this.upstream.cancel();
  }

  #failureContext(): FailureContext {
    const { provider, upstreamModel } = this.target;
    return { provider: provider.name, hidden: [...this.upstream.hidden, upstreamModel] };
  }

  async #start(): Promise<void> {
    this.#called = true;
    try {
      this.upstream.open(await this.target.provider.stream(this.#call));
      // It may have ended while the target was called.
      if (this.#ended) this.upstream.cancel();
    } catch (cause) {
      this.fail(cause);
    }
  }
}
