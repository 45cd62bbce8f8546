import type { ChatCompletion } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import type { ChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { isJsonObject } from "../wire/json.ts";
import type { ByteStream } from "./byte-stream.ts";
import type { CallSignal, Transport } from "./transport.ts";

/** What a provider's upstream can do; the gateway shapes the request by it before the adapter sees it. */
export interface ProviderCapabilities {
  /** The upstream reports usage in a stream when `stream_options.include_usage` asks it to. */
  readonly streamUsage: boolean;
  /** The field in which the upstream takes a cap on the output. */
  readonly outputCapField: "max_tokens" | "max_completion_tokens";
  /**
   * Fields that the upstream takes and that the host's price covers, though they change what a call costs or where it goes,
   * in snake case: `service_tier`, `web_search_options`, `models`, `extra_body`, `provider_options` and the like. A request
   * in which one asks for something, at any level, is refused with 400 `unsupported_parameter` unless every target of its
   * model names it. Names that end in `_fallbacks` are compared as the client wrote them.
   */
  readonly pricedFields: readonly string[];
  /**
   * Fields that the upstream refuses. A request where one asks for something, so is neither null, false, zero nor empty,
   * goes to other targets of its model, and is answered with 400 `unsupported_parameter` when there are none. The stream
   * options and both caps on the output count for nothing here, since the gateway writes them itself. Absent: none.
   */
  readonly refusedFields?: readonly string[];
  /** What happens to the bill when a running stream is cancelled. One that is billed in full is read on for its usage when its client leaves. */
  readonly cancel: "stops" | "full-charge";
}

/** One call of a model, in the wire types of the router. */
export interface ProviderCall {
  /**
   * Made anew at each access: as the client sent it, but with the upstream's model name, and with the stream options and
   * output cap that the gateway decided on. Read it before a stream of `bytes` gives content: from then on its prompt is gone.
   * Its numbers are plain ones, which may have been rounded; `withExactSchemas` gives those of schemas as they were sent.
   */
  readonly request: ChatCompletionRequest;
  /** The same as JSON in UTF-8, with every number as the client wrote it. */
  encoded(): Uint8Array;
  /** Aborts when the client has gone, a limit has passed or the gateway drains. */
  readonly signal: AbortSignal;
  /** The same, for the transport: cheaper than `signal`, which is made only when it is asked for. */
  readonly cancellation: CallSignal;
  readonly transport: Transport;
  /** The longest wait for a connection, in milliseconds. */
  readonly connectMs: number;
  /** The id under which the host can find this request; for the upstream's logs. */
  readonly requestId: string;
}

/**
 * A streamed answer, in one of two forms. `chunks` is for providers of another shape. `bytes` is the upstream's
 * own chat-completions event stream: the gateway scans it and forwards what needs no change without parsing it.
 */
export type ProviderStream =
  | {
      readonly kind: "chunks";
      readonly chunks: AsyncIterable<ChatCompletionChunk>;
    }
  | {
      readonly kind: "bytes";
      readonly bytes: ByteStream;
      /** What no client may see when the upstream reports an error in its stream: its host, and the host's key. */
      readonly hidden?: readonly string[];
    };

/**
 * The upstream's own chat completion, as the JSON in UTF-8 that it sent. The gateway checks and normalizes it as it does a
 * ChatCompletion, sorts an error that it reports, and passes on as it came what needs no change.
 */
export interface CompletionBytes {
  readonly kind: "bytes";
  readonly body: Uint8Array;
  /** What no client may see when it reports an error: the upstream's host, and the host's key. */
  readonly hidden?: readonly string[];
}

/** An answer in one piece, in one of two forms. */
export type ProviderAnswer = ChatCompletion | CompletionBytes;

/** True for the form that is bytes; an adapter without types may give anything. */
export const isCompletionBytes = (answer: ProviderAnswer): answer is CompletionBytes =>
  isJsonObject(answer) && answer["kind"] === "bytes" && answer["body"] instanceof Uint8Array;

/**
 * Port: one upstream of chat completions.
 *
 * `complete` answers a request whose `stream` is not true, `stream` one whose `stream` is. Both throw a
 * `ProviderError` for every failure, and so does the iteration of `chunks`. An adapter never retries, never
 * bills, and never sees the client's key. It stops all work when the signal aborts.
 */
export interface ProviderAdapter {
  /** For events and metrics; never shown to a client. */
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  complete(call: ProviderCall): Promise<ProviderAnswer>;
  stream(call: ProviderCall): Promise<ProviderStream>;
}
