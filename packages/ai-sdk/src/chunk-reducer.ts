import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { ChatCompletionChunk, ChatCompletionDelta, ToolCallDelta } from "@tollgate/core/provider";
import { type AnswerHead, toAnswerHead } from "./answer-head.ts";
import type { GenerateResult, Part } from "./language-model.ts";
import { endedEarly, toFinishReason } from "./to-finish-reason.ts";
import { toUsage } from "./to-usage.ts";
import { ToolCallPieces } from "./tool-call-pieces.ts";

interface FinishPart extends Pick<GenerateResult, "finishReason" | "usage"> {
  readonly type: "finish";
}

type ReadType =
  | "text-delta"
  | "reasoning-delta"
  | "tool-input-start"
  | "tool-input-delta"
  | "tool-call"
  | "response-metadata"
  | "error";
type ReadPart = Extract<LanguageModelV3StreamPart, { type: ReadType }> | FinishPart;

/** Maps the parts of one stream, in order, to completion chunks. It does no I/O. */
export class ChunkReducer {
  readonly #calls = new ToolCallPieces();
  #head: AnswerHead = {};
  #finished = false;

  /** Whether the finish part has arrived. */
  get finished(): boolean {
    return this.#finished;
  }

  /**
   * Returns the chunk for a part, or undefined if the part has no content for the client. Throws the error of an error
   * part, and a ProviderError if the finish reason is an error.
   */
  reduce(part: Part): ChatCompletionChunk | undefined {
    if (!isRead(part)) return undefined;
    switch (part.type) {
      case "text-delta":
        return this.#text("content", part.delta);
      case "reasoning-delta":
        return this.#text("reasoning_content", part.delta);
      case "tool-input-start":
        return this.#call(this.#calls.begin(part));
      case "tool-input-delta":
        return this.#call(this.#calls.add(part));
      case "tool-call":
        return this.#call(this.#calls.complete(part));
      case "response-metadata":
        this.#head = toAnswerHead(part);
        return undefined;
      case "finish":
        return this.#finish(part);
      case "error":
        throw part.error;
    }
  }

  #text(member: "content" | "reasoning_content", delta: string): ChatCompletionChunk | undefined {
    return delta === "" ? undefined : this.#chunk({ [member]: delta }, null);
  }

  #call(piece: ToolCallDelta | undefined): ChatCompletionChunk | undefined {
    return piece === undefined ? undefined : this.#chunk({ tool_calls: [piece] }, null);
  }

  #finish({ finishReason, usage: used }: FinishPart): ChatCompletionChunk {
    // Providers of AI SDK 6 report this if the stream of the upstream ends early.
    if (finishReason.unified === "other" && finishReason.raw === undefined) throw endedEarly();
    const reason = toFinishReason(finishReason, this.#calls.count > 0);
    const usage = toUsage(used);
    this.#finished = true;
    return { ...this.#chunk({}, reason), ...(usage === undefined ? {} : { usage }) };
  }

  #chunk(delta: ChatCompletionDelta, reason: string | null): ChatCompletionChunk {
    return {
      ...this.#head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
    };
  }
}

const readTypes: ReadonlySet<string> = new Set<ReadPart["type"]>([
  "text-delta",
  "reasoning-delta",
  "tool-input-start",
  "tool-input-delta",
  "tool-call",
  "response-metadata",
  "finish",
  "error",
]);

const isRead = (part: Part): part is ReadPart => readTypes.has(part.type);
