import type { ScriptedAnswer, ScriptedFailure } from "./upstream-script.ts";

/** A request that reached the suite's upstream. */
export interface UpstreamRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** How the provider's upstream puts things: the same scripts in its own form on the wire. */
export interface UpstreamCodec {
  /** True when the request asks for a stream. */
  asksForStream(request: UpstreamRequest): boolean;
  /** The body of an answer in one piece. */
  completion(answer: ScriptedAnswer): string;
  /** The events of a streamed answer to its very end; no event holds two pieces of text. */
  events(answer: ScriptedAnswer): readonly string[];
  /** The body of an answer with the failure's status. */
  failure(failure: ScriptedFailure): string;
  /** The event that tells a failure inside a stream; absent: the upstream has none. */
  readonly failureEvent?: (failure: ScriptedFailure) => string;
  /** The content type of a stream; "text/event-stream" when absent. */
  readonly streamType?: string;
}
