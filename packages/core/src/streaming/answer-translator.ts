import type { GatewayError } from "../errors/gateway-error.ts";
import type { ProviderError } from "../errors/provider-error.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ReportedUsage, Usage } from "../wire/usage.ts";

/** How an answer can be found again, and how it ended: for its receipt and the events of its request. */
export interface AnswerMarks {
  /** The id that the client has. Undefined if there is no answer, or none with an id. */
  readonly answerId: string | undefined;
  /** Why its choices ended, in the words of the API in which the target answered. Empty for a choice that did not end. */
  readonly finishReasons: readonly string[];
}

/**
 * Turns the stream of one upstream into frames for the client, without timers or promises. Invalid input never throws, but
 * sets `failure`.
 */
export interface AnswerTranslator extends AnswerMarks {
  /** True once content, reasoning, a tool call or the end of the answer was returned. A role alone and empty content do not count. */
  readonly started: boolean;
  /** True when the answer may be finished: nothing failed, and the upstream has said how its answer ends. */
  readonly complete: boolean;
  /** True when an answer with this number of choices is complete, even if the upstream has not closed the stream. */
  hasAllChoices(choices: number): boolean;
  /** True once the upstream has sent its last event. Nothing after it is read. */
  readonly done: boolean;
  /** True when nothing more is read: the upstream sent its last event or closed, or the stream failed. */
  readonly ended: boolean;
  /** The error that ended the stream, if it failed. */
  readonly failure: ProviderError | undefined;
  /** The last valid usage. */
  readonly usage: Usage | undefined;
  /** The last usage, complete or partial, with the output that had arrived before it. */
  readonly reported: ReportedUsage | undefined;
  /** Bytes of output so far, in UTF-8: text, reasoning, calls, and whatever else the model wrote. */
  readonly outputBytes: number;
  /** True if the upstream has sent reasoning that is encrypted, redacted or empty. */
  readonly hidesReasoning: boolean;
  /** The number of frames so far. Comments and empty frames do not count. */
  readonly frames: number;
  /** Reads bytes of the upstream's event stream. Returns frames for the client, or undefined when there are none yet. */
  translate(chunk: Uint8Array): Uint8Array | undefined;
  /** Reads a chunk of a provider that parses the upstream's answer itself. Returns the same as `translate`. */
  translateChunk(chunk: ChatCompletionChunk): Uint8Array | undefined;
  /** Ends the stream after the upstream closed it. Returns the frames that are still missing, or sets `failure` if the answer is incomplete. */
  end(): Uint8Array | undefined;
  /** Returns the last frames of a complete answer, with the usage that was charged. Called once, after `end` or `done`. Never rejects. */
  finish(charged: Usage): Awaitable<Uint8Array>;
  /** Returns the last frames of an answer that failed after it began. It must not look complete. */
  fail(error: GatewayError): Uint8Array;
}

/** The members that all frames of a stream share: its id, its time in Unix seconds, and the public model id. */
export interface StreamIdentity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Writes a stream for the client from the normalized chunks of a chat completion, without their usage. */
export interface ChunkEncoder {
  /** True if the client gets the chunks themselves, so that the bytes of the upstream may be forwarded. */
  readonly forwardsChunks: boolean;
  /** The id of the answer for the client. Undefined: that of the chunks. */
  readonly answerId: string | undefined;
  /** Writes one chunk. Returns undefined if the client gets nothing for it. */
  encode(chunk: JsonObject): Uint8Array | undefined;
  /** See {@link AnswerTranslator.finish}. */
  finish(charged: Usage, identity: StreamIdentity): Awaitable<Uint8Array>;
  /** See {@link AnswerTranslator.fail}. */
  fail(error: GatewayError, identity: StreamIdentity): Uint8Array;
}
