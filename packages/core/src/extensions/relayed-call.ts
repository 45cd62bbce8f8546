import { CompletionStream } from "../answering/stream/completion-stream.ts";
import { chatApi } from "../dialects/chat/chat-api.ts";
import { clientGone } from "../errors/call-errors.ts";
import { type ErrorCode, errorTable } from "../errors/error-table.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ByteSink } from "../ports/byte-stream.ts";
import type { PaidCall } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { decodeFrames } from "../upstream/frames.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion.ts";
import { chunksToCompletion, isChunk } from "../wire/completion-chunks.ts";
import { isJsonObject, type JsonObject } from "../wire/json.ts";
import { type NormalizedCompletion, normalizeCompletion } from "../wire/normalize-completion.ts";

/** Passes a delta on to the client. Returns false when the call is to be paused until `onDrain`. */
export type DeltaListener = (delta: JsonObject) => boolean;

/** One streamed call of a model for an extension: passes each delta on as it arrives, and collects all of them into a completion. */
export class RelayedCall implements ByteSink {
  readonly #paid: PaidCall;
  readonly #stream: CompletionStream;
  readonly #onDelta: DeltaListener;
  readonly #chunks: ChatCompletionChunk[] = [];
  #reading: { resolve(): void; reject(error: unknown): void } | undefined;
  #failure: GatewayError | undefined;
  /** The index of the choice that is used. */
  #choice: number | undefined;
  #isPaused = false;

  constructor(services: Services, paid: PaidCall, onDelta: DeltaListener) {
    this.#paid = paid;
    this.#onDelta = onDelta;
    this.#stream = new CompletionStream(services, paid, chatApi);
  }

  /** Resolves with the completion when the stream has ended. Rejects with the error that `POST /chat/completions` would return. */
  async completion(): Promise<NormalizedCompletion> {
    await this.#stream.body.started;
    await this.#read();
    const created = Math.floor(this.#paid.exchange.startedAt / 1000);
    const identity = { model: this.#paid.model.id, id: `chatcmpl-${this.#paid.exchange.requestId}`, created };
    const normalized = normalizeCompletion(chunksToCompletion(this.#chunks), identity);
    if (normalized === undefined) {
      throw new GatewayError("upstream_invalid_response", "The model returned no answer. Try again.");
    }
    return { ...normalized.completion, usage: normalized.usage };
  }

  /** The client has read what was written and is ready for more. */
  onDrain(): void {
    this.#isPaused = false;
    this.#stream.body.onDrain();
  }

  /** Cancels the call because the client has left. */
  cancel(): void {
    this.#failure = clientGone();
    this.#stream.body.cancel();
    this.#reading?.reject(this.#failure);
  }

  write(bytes: Uint8Array): void {
    for (const frame of decodeFrames(bytes)) this.#readFrame(frame);
    if (!this.#isPaused) this.#stream.body.onDrain();
  }

  close(): void {
    if (this.#failure === undefined) this.#reading?.resolve();
    else this.#reading?.reject(this.#failure);
  }

  fail(cause: unknown): void {
    this.#reading?.reject(cause);
  }

  #read(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reading = { resolve, reject };
      this.#stream.body.pipeTo(this);
    });
  }

  #readFrame(frame: JsonObject): void {
    if (isJsonObject(frame["error"])) this.#failure = toError(frame["error"]);
    else if (isChunk(frame)) {
      const chunk = this.#withOneChoice(frame);
      this.#chunks.push(chunk);
      const delta = visibleDelta(chunk);
      if (delta !== undefined && !this.#onDelta(delta)) this.#isPaused = true;
    }
  }

  /** Some upstreams send several choices without being asked. Only the first to begin is used. */
  #withOneChoice(chunk: ChatCompletionChunk): ChatCompletionChunk {
    this.#choice ??= chunk.choices[0]?.index;
    return { ...chunk, choices: chunk.choices.filter(({ index }) => index === this.#choice) };
  }
}

/** Returns the delta without role, tool calls and empty members; undefined when nothing is left. */
function visibleDelta({ choices }: ChatCompletionChunk): JsonObject | undefined {
  const members = Object.entries(choices[0]?.delta ?? {}).filter(
    ([name, value]) => !hiddenMembers.has(name) && value !== null && value !== undefined && value !== "",
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const hiddenMembers: ReadonlySet<string> = new Set(["role", "tool_calls", "function_call"]);

/** Restores the GatewayError that an error frame was made from. */
function toError({ code, message }: JsonObject): GatewayError {
  const known = Object.keys(errorTable).find((each): each is ErrorCode => each === code) ?? "upstream_failed";
  return new GatewayError(known, typeof message === "string" ? message : "The model failed. Try again.");
}
