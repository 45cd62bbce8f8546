import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { ChatCompletionChunk, ChatCompletionDelta, ToolCallDelta } from "@tollgate/core/provider";
import type { GenerateResult, Part } from "./language-model.ts";
import { endedEarly, toAnswerHead, toFinishReason, toUsage, writeSignature } from "./to-completion.ts";

const readNames = [
  "text-delta",
  "reasoning-delta",
  "tool-input-start",
  "tool-input-delta",
  "tool-call",
  "response-metadata",
  "error",
] as const;
const readTypes: ReadonlySet<string> = new Set(readNames);

type PartOf<Type> = Extract<LanguageModelV3StreamPart, { type: Type }>;
type FinishPart = Pick<GenerateResult, "finishReason" | "usage"> & { readonly type: "finish" };

/** Versions of the SDK add further types of parts. */
const isRead = (part: Part): part is PartOf<(typeof readNames)[number]> | FinishPart =>
  part.type === "finish" || readTypes.has(part.type);

/** Maps the parts of one stream, in order, to completion chunks. It does no I/O. */
export class ChunkReducer {
  readonly #calls = new ToolCallPieces();
  #head: Pick<ChatCompletionChunk, "id" | "created" | "model"> = {};
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

/**
 * Maps the tool calls of one stream to deltas. A call may arrive in deltas, complete, or as both; its arguments are
 * emitted once. Calls that the upstream executes are left out.
 */
class ToolCallPieces {
  /** By id, each with the arguments that were emitted so far. */
  readonly #calls = new Map<string, { readonly index: number; emitted: string }>();

  /** The number of calls so far. */
  get count(): number {
    return this.#calls.size;
  }

  begin({ id, toolName, providerExecuted }: PartOf<"tool-input-start">): ToolCallDelta | undefined {
    if (providerExecuted || this.#calls.has(id)) return undefined;
    return this.#open(id, toolName, "");
  }

  add({ id, delta }: PartOf<"tool-input-delta">): ToolCallDelta | undefined {
    const call = this.#calls.get(id);
    if (call === undefined || delta === "") return undefined;
    call.emitted += delta;
    return { index: call.index, function: { arguments: delta } };
  }

  /** Returns what a complete call adds to the deltas before it. */
  complete(part: PartOf<"tool-call">): ToolCallDelta | undefined {
    if (part.providerExecuted) return undefined;
    const input = part.input || "{}";
    const signature = writeSignature(part.providerMetadata);
    const call = this.#calls.get(part.toolCallId);
    if (call === undefined) return { ...this.#open(part.toolCallId, part.toolName, input), ...signature };
    // Some models format the complete arguments differently from the deltas. What was emitted cannot be changed.
    const rest = input.startsWith(call.emitted) ? input.slice(call.emitted.length) : "";
    call.emitted += rest;
    if (rest === "" && Object.keys(signature).length === 0) return undefined;
    return { index: call.index, function: { arguments: rest }, ...signature };
  }

  #open(id: string, name: string, args: string): ToolCallDelta {
    const index = this.#calls.size;
    this.#calls.set(id, { index, emitted: args });
    return { index, id, type: "function", function: { name, arguments: args } };
  }
}
