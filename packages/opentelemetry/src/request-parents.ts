import { type Context, context, ROOT_CONTEXT, type SpanContext, trace } from "@opentelemetry/api";

/** The most requests whose parents are kept. Beyond it, the oldest are forgotten, and their spans begin a trace. */
const limit = 10_000;

/**
 * The spans of the host in which requests run, such as those of its HTTP instrumentation. A request is reported when it
 * has ended, possibly in the context of another one, so the parent is read when it starts. Nothing is kept for a host
 * without active spans.
 */
export class RequestParents {
  readonly #parents = new Map<string, SpanContext | undefined>();

  /** Keeps the active span as the parent of the spans of a request. */
  remember(requestId: string): void {
    const active = trace.getSpanContext(context.active());
    if (active === undefined) return;
    // A client may choose the id of another running request. Neither has a known parent then.
    this.#parents.set(requestId, this.#parents.has(requestId) ? undefined : active);
    if (this.#parents.size > limit) this.#forgetOldest();
  }

  /** Returns the context for the span of a request, and forgets its parent. */
  take(requestId: string): Context {
    const parent = this.#parents.get(requestId);
    this.#parents.delete(requestId);
    return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  }

  #forgetOldest(): void {
    for (const oldest of this.#parents.keys()) {
      this.#parents.delete(oldest);
      return;
    }
  }
}
