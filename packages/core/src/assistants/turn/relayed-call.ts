import { StreamSession } from "../../answering/stream/stream-session.ts";
import { clientGone } from "../../errors/ended-early.ts";
import { type ErrorCode, errorTable } from "../../errors/error-table.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { ByteSink } from "../../ports/byte-stream.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import { isChunk } from "../../streaming/collect-completion.ts";
import { decodeFrames } from "../../streaming/frames.ts";
import type { ChatCompletionChunk } from "../../wire/chat-completion-chunk.ts";
import { chunksToCompletion } from "../../wire/chunks-to-completion.ts";
import { isJsonObject, type JsonObject } from "../../wire/json.ts";
import { type NormalizedCompletion, normalizeCompletion } from "../../wire/normalize-completion.ts";

/** Shows a delta of the model's; false when the one who sees it has enough for now. */
export type ShowDelta = (delta: JsonObject) => boolean;

/**
 * One streamed call of the model within a turn, whose client is still there: what it says is shown as it comes, and what
 * it adds up to is kept.
 */
export class RelayedCall implements ByteSink {
  readonly #held: Held;
  readonly #session: StreamSession;
  readonly #show: ShowDelta;
  readonly #chunks: ChatCompletionChunk[] = [];
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #failure: GatewayError | undefined;
  /** The index of the choice that is the answer. */
  #choice: number | undefined;
  #behind = false;
  readonly #ended = new Promise<void>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor(services: Services, held: Held, show: ShowDelta) {
    this.#held = held;
    this.#show = show;
    this.#session = new StreamSession(services, held);
    this.#ended.catch(() => undefined);
  }

  /** What the model said, once it has ended. Throws what a client of the router would have been answered. */
  async completion(): Promise<NormalizedCompletion> {
    await this.#session.committed;
    this.#session.pipeTo(this);
    await this.#ended;
    const created = Math.floor(this.#held.startedAt / 1000);
    const identity = { model: this.#held.model.id, id: `chatcmpl-${this.#held.requestId}`, created };
    const normalized = normalizeCompletion(chunksToCompletion(this.#chunks), identity);
    if (normalized === undefined)
      throw new GatewayError("upstream_invalid_response", "The model returned no answer. Try again.");
    return { ...normalized.completion, usage: normalized.usage };
  }

  /** The one who sees it wants more. */
  taken(): void {
    this.#behind = false;
    this.#session.onDrain();
  }

  cancel(): void {
    this.#session.cancel();
    this.#reject(clientGone());
  }

  write(bytes: Uint8Array): void {
    for (const frame of decodeFrames(bytes)) this.#take(frame);
    if (!this.#behind) this.#session.onDrain();
  }

  close(): void {
    if (this.#failure === undefined) this.#resolve();
    else this.#reject(this.#failure);
  }

  fail(cause: unknown): void {
    this.#reject(cause);
  }

  #take(frame: JsonObject): void {
    if (isJsonObject(frame["error"])) this.#failure = toError(frame["error"]);
    else if (isChunk(frame)) {
      const chunk = this.#oneChoice(frame);
      this.#chunks.push(chunk);
      const delta = visible(chunk);
      if (delta !== undefined && !this.#show(delta)) this.#behind = true;
    }
  }

  /** Of an upstream that gives several choices unasked, the first to begin is the answer. */
  #oneChoice(chunk: ChatCompletionChunk): ChatCompletionChunk {
    this.#choice ??= chunk.choices[0]?.index;
    return { ...chunk, choices: chunk.choices.filter(({ index }) => index === this.#choice) };
  }
}

/** What a client of the turn is shown of a frame: no role, no calls of triggers, nothing that is empty. */
function visible({ choices }: ChatCompletionChunk): JsonObject | undefined {
  const members = Object.entries(choices[0]?.delta ?? {}).filter(
    ([name, value]) => !hidden.has(name) && value !== null && value !== undefined && value !== "",
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const hidden: ReadonlySet<string> = new Set(["role", "tool_calls", "function_call"]);

/** The error of an error frame, as it was before it became one. */
function toError({ code, message }: JsonObject): GatewayError {
  const known = Object.keys(errorTable).find((each): each is ErrorCode => each === code) ?? "upstream_failed";
  return new GatewayError(known, typeof message === "string" ? message : "The model failed. Try again.");
}
