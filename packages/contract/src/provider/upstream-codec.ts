import type { ScriptedAnswer, ScriptedFailure } from "./upstream-script.ts";

/** A request to the suite's upstream. */
export interface UpstreamRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The wire format of the provider's upstream, in which the scripts are sent. */
export interface UpstreamCodec {
  /** Whether the request asks for a stream. */
  asksForStream(request: UpstreamRequest): boolean;
  /** The body of a complete answer. */
  completion(answer: ScriptedAnswer): string;
  /** All events of a streamed answer. An event contains at most one piece of text. */
  events(answer: ScriptedAnswer): readonly string[];
  /** The body of a response with the failure's status. */
  failure(failure: ScriptedFailure): string;
  /** The event of a failure inside a stream; absent if the upstream has none. */
  readonly failureEvent?: (failure: ScriptedFailure) => string;
  /** The content type of a stream. The default is "text/event-stream". */
  readonly streamType?: string;
}
