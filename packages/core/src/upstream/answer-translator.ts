import type { GatewayError } from "../errors/gateway-error.ts";
import { ProviderError } from "../errors/provider-error.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import type { AnswerIdentity, ChatCompletionChunk } from "../wire/chat-completion.ts";
import type { JsonObject } from "../wire/json.ts";
import { isComplete, type PartialUsage, type ReportedUsage, toldIn, type Usage } from "../wire/usage.ts";

/** How an answer can be found again, and how it ended: for its receipt and the events of its request. */
export interface AnswerMarks {
  /** The id that the client has. Undefined if there is no answer, or none with an id. */
  readonly answerId: string | undefined;
  /** Why its choices ended, in the words of the API in which the target answered. Empty for a choice that did not end. */
  readonly finishReasons: readonly string[];
}

/**
 * Turns the stream of one upstream into frames for the client, without timers or promises, and keeps the state of the answer,
 * which only the translator itself writes. Invalid input never throws, but sets `failure`.
 */
export abstract class AnswerTranslator implements AnswerMarks {
  /** True once content, reasoning, a tool call or the end of the answer was returned. A role alone and empty content do not count. */
  started = false;
  /** True once the upstream has sent its last event. Nothing after it is read. */
  done = false;
  /** The error that ended the stream, if it failed. */
  failure: ProviderError | undefined;
  /** The last valid usage. */
  usage: Usage | undefined;
  /** The last usage, complete or partial, with the output that had arrived before it. */
  reported: ReportedUsage | undefined;
  /** Bytes of output so far, in UTF-8: text, reasoning, calls, and whatever else the model wrote. */
  outputBytes = 0;
  /** The number of frames so far. Comments and empty frames do not count. */
  frames = 0;
  /** True once the upstream has closed the stream. */
  protected isClosed = false;

  /** True when the answer may be finished: nothing failed, and the upstream has said how its answer ends. */
  abstract readonly complete: boolean;
  /** True if the upstream has sent reasoning that is encrypted, redacted or empty. */
  abstract readonly hasHiddenReasoning: boolean;
  abstract readonly answerId: string | undefined;
  abstract readonly finishReasons: readonly string[];

  /** True when nothing more is read: the upstream sent its last event or closed, or the stream failed. */
  get ended(): boolean {
    return this.done || this.isClosed || this.failure !== undefined;
  }

  /** True when an answer with this number of choices is complete, even if the upstream has not closed the stream. */
  abstract hasAllChoices(choices: number): boolean;
  /** Reads bytes of the upstream's event stream. Returns frames for the client, or undefined when there are none yet. */
  abstract translate(chunk: Uint8Array): Uint8Array | undefined;
  /** Reads a chunk of a provider that parses the upstream's answer itself. Returns the same as `translate`. */
  abstract translateChunk(chunk: ChatCompletionChunk): Uint8Array | undefined;
  /** Ends the stream after the upstream closed it. Returns the frames that are still missing, or sets `failure` if the answer is incomplete. */
  abstract end(): Uint8Array | undefined;
  /** Returns the last frames of a complete answer, with the usage that was charged. Called once, after `end` or `done`. Never rejects. */
  abstract finish(charged: Usage): Awaitable<Uint8Array>;
  /** Returns the last frames of an answer that failed after it began. It must not look complete. */
  abstract fail(error: GatewayError): Uint8Array;

  /** A partial usage never replaces a complete one. */
  protected takeUsage(usage: Usage | PartialUsage, outputBytes: number): void {
    // What was told before a usage that cannot be true may be no more than a part.
    if (toldIn(usage) !== undefined) this.usage = undefined;
    if (isComplete(usage)) this.usage = usage;
    else if (this.usage !== undefined) return;
    this.reported = { usage, outputBytes };
  }

  protected invalidate(message: string, cause?: unknown): void {
    this.failure ??= new ProviderError("invalid_response", message, { cause });
  }
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
  finish(charged: Usage, identity: AnswerIdentity): Awaitable<Uint8Array>;
  /** See {@link AnswerTranslator.fail}. */
  fail(error: GatewayError, identity: AnswerIdentity): Uint8Array;
}
