import type { AnswerForm } from "../wire/answer-form.ts";
import type { ChatCompletion, ChatCompletionChunk } from "../wire/chat-completion.ts";
import type { ChatCompletionRequest } from "../wire/chat-completion-request.ts";
import type { NativeDialect } from "../wire/dialect.ts";
import type { ByteStream } from "./byte-stream.ts";
import type { CallSignal, Transport } from "./transport.ts";

/** The capabilities of a provider's upstream. The gateway adapts the request to them before the adapter gets it. */
export interface ProviderCapabilities {
  /** The upstream reports usage in a stream when `stream_options.include_usage` asks it to. */
  readonly streamUsage: boolean;
  /** The field for the cap on output tokens. */
  readonly outputCapField: "max_tokens" | "max_completion_tokens";
  /**
   * Fields that the upstream supports and the host's price covers, although they change the cost or the target of a call, in
   * snake case: `service_tier`, `web_search_options`, `models`, `extra_body`, `provider_options` and the like. A request
   * that uses one, at any level, is refused with 400 `unsupported_parameter` unless every target of its model lists it.
   * Names that end in `_fallbacks` are compared unchanged.
   */
  readonly pricedFields: readonly string[];
  /**
   * Fields that the upstream rejects. A request that uses one, with a value that is not null, false, zero or empty, goes to
   * other targets of its model, and gets 400 `unsupported_parameter` if there are none. Stream options and output caps do
   * not count, since the gateway sets them itself. Absent: none.
   */
  readonly refusedFields?: readonly string[];
  /** The upstream accepts images and files in the results of tools. If not, they follow in the next message of the user. */
  readonly toolImages?: boolean;
  /** Where chat completions of the upstream differ from OpenAI's: their usage, and their reasons of ending. Absent: nowhere. */
  readonly answers?: AnswerForm;
  /**
   * Whether the thoughts of earlier answers go back, as `reasoning_content` of the message that they belong to. True: the
   * upstream reads them, and they are part of translated requests; an answer with calls then always has the member. False:
   * the upstream refuses them, and they are left out. Absent: translated requests have none, and those of chat clients stay.
   */
  readonly thoughts?: boolean;
  /** False for an upstream that answers embeddings as numbers only: the gateway then asks for these. Absent: true. */
  readonly base64Vectors?: boolean;
  /** Whether a cancelled stream is billed up to that point or in full. If in full, the gateway reads it to the end for its usage when the client leaves. */
  readonly cancel: "stops" | "full-charge";
}

/** One call of a model, in the types of the OpenAI API. */
export interface ProviderCall {
  /**
   * The client's request with the upstream's model name, and the stream options and output cap of the gateway. Each access
   * creates a new object. Read it before a stream of `bytes` returns content, after which the prompt is released. Numbers
   * may be rounded; `withLosslessSchemas` restores those in schemas.
   */
  readonly request: ChatCompletionRequest;
  /** Returns the request as JSON in UTF-8, with the original digits of every number. */
  encoded(): Uint8Array;
  /** False if the request has no tools. Absent: not known. */
  readonly usesTools?: boolean;
  /** Aborts when the client leaves, a time limit is reached or the gateway drains. */
  readonly signal: AbortSignal;
  /** The same for the transport. It is cheaper than `signal`, which is created on first access. */
  readonly cancellation: CallSignal;
  readonly transport: Transport;
  /** The connection timeout, in milliseconds. */
  readonly connectMs: number;
  /** The public id of the model, which errors may show. */
  readonly publicModel: string;
  /** The request id, for the upstream's logs. */
  readonly requestId: string;
}

/**
 * A streamed completion, in one of two forms. `chunks` is for upstreams with another API. `bytes` is the upstream's own
 * chat-completions event stream, which the gateway scans, and forwards without parsing where nothing changes.
 */
export type ProviderStream =
  | {
      readonly kind: "chunks";
      readonly chunks: AsyncIterable<ChatCompletionChunk>;
    }
  | {
      readonly kind: "bytes";
      readonly bytes: ByteStream;
      /** Texts to mask in errors of the upstream's stream, such as its host name and the API key. */
      readonly hidden?: readonly string[];
    };

/**
 * The upstream's own chat completion, as JSON in UTF-8. The gateway checks and normalizes it like a ChatCompletion,
 * classifies a reported error, and forwards unchanged what needs no change.
 */
export interface CompletionBytes {
  readonly kind: "bytes";
  readonly body: Uint8Array;
  /** Texts to mask in a reported error, such as the upstream's host name and the API key. */
  readonly hidden?: readonly string[];
}

/** A completion without streaming, in one of two forms. */
export type ProviderAnswer = ChatCompletion | CompletionBytes;

/**
 * A request in the dialect of its client, for an upstream that speaks the same one. Its body is what the client sent, with
 * the upstream's model name and the output cap of the gateway.
 */
export interface NativeCall extends Omit<ProviderCall, "request"> {
  /** The upstream's name of the model. */
  readonly model: string;
  /** True if the client asked for a stream. */
  readonly stream: boolean;
  /** Headers of the client that belong to the dialect, with lower-case names, such as `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the client's query that belong to the dialect: `beta` of Messages. */
  readonly query: Readonly<Record<string, string>>;
}

/**
 * The upstream's own answer in the dialect of the client: JSON in UTF-8, or an event stream. The gateway checks it, puts the
 * public model id back, and reads its usage.
 */
export type NativeAnswer =
  | (Confidential & { readonly kind: "json"; readonly body: Uint8Array })
  | (Confidential & { readonly kind: "stream"; readonly bytes: ByteStream });

/** What an answer of an upstream must not show. */
interface Confidential {
  /** Texts to mask in errors and to keep out of members that the dialect does not know, such as the upstream's host name. */
  readonly hidden?: readonly string[];
  /** Texts that end the answer, even in the output of the model: the API key and an address that is not public. */
  readonly secrets?: readonly string[];
}

/** Sends a request in the dialect of its client. Rejects with a `ProviderError` for every failure. */
export type NativeMethod = (call: NativeCall) => Promise<NativeAnswer>;

/** The dialects that an upstream speaks besides chat completions, with one method each. */
export type ProviderDialects = {
  readonly [Name in NativeDialect]?: NativeMethod;
} & {
  /** Counts the tokens of a Messages request without running it: `POST /messages/count_tokens`. */
  readonly countTokens?: NativeMethod;
};

/**
 * Port: one upstream of chat completions. Its methods reject with a `ProviderError` for every failure. An adapter never
 * retries, never bills, and never sees the client's key. It stops all work when the signal aborts.
 */
export interface ProviderAdapter {
  /** For events and metrics. Clients never see it. */
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /** Answers a request whose `stream` is not true. */
  complete(call: ProviderCall): Promise<ProviderAnswer>;
  /** Answers a request whose `stream` is true. The iteration of `chunks` throws a `ProviderError` too. */
  stream(call: ProviderCall): Promise<ProviderStream>;
  /** Absent: requests in other dialects are translated to chat completions. */
  readonly dialects?: ProviderDialects;
  /**
   * Returns a secret that all processes know, such as the API key. A gateway without the option `secret` derives the keys from
   * it with which it signs ids and sealed reasoning for this provider. Absent: the name is used.
   */
  secret?(): string;
}
