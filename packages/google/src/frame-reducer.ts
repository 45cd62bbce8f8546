import type { ChatCompletionChunk, ChunkChoice, JsonObject } from "@tollgate/core/provider";
import { indexOf, readOutput } from "./candidate-output.ts";
import { toFinishReason } from "./finish-reason.ts";
import { objectAt, objectsOf, textAt } from "./json.ts";
import { toUsage } from "./usage.ts";

/**
 * Maps the frames of one stream, each a complete GenerateContentResponse, to chunks. Function calls are complete, and
 * the usage of each frame is cumulative. Its state is the number of calls of each candidate.
 */
export class FrameReducer {
  readonly #candidates = new Map<number, number>();

  /** Returns the chunk for a frame, which may have no choices. Throws a ProviderError if the answer failed. */
  reduce(frame: JsonObject): ChatCompletionChunk {
    const candidates = objectsOf(frame["candidates"]);
    const choices = candidates.map((candidate, position) => this.#reduce(candidate, indexOf(candidate, position)));
    const usage = toUsage(frame["usageMetadata"]);
    return {
      ...head(frame),
      object: "chat.completion.chunk",
      choices: choices.length === 0 ? this.#blocked(frame) : choices,
      ...(usage === undefined ? {} : { usage }),
    };
  }

  #reduce(candidate: JsonObject, index: number): ChunkChoice {
    const known = this.#candidates.get(index);
    const before = known ?? 0;
    const { text, thoughts, calls, signature } = readOutput(candidate);
    const pieces = calls.map((call, position) => ({ index: before + position, ...call }));
    this.#candidates.set(index, before + calls.length);
    const finish = toFinishReason(candidate["finishReason"], before + calls.length > 0);
    return {
      index,
      delta: {
        ...(known === undefined ? { role: "assistant" } : {}),
        ...(thoughts === "" ? {} : { reasoning_content: thoughts }),
        ...(text === "" ? {} : { content: text }),
        ...(pieces.length === 0 ? {} : { tool_calls: pieces }),
        ...signature,
      },
      finish_reason: finish ?? null,
    };
  }

  /** Adds a choice for a blocked prompt, which has no candidates. */
  #blocked(frame: JsonObject): ChunkChoice[] {
    if (this.#candidates.size > 0 || !isBlocked(frame)) return [];
    return [this.#reduce({ finishReason: "PROHIBITED_CONTENT" }, 0)];
  }
}

/** Maps the metadata of an answer or a frame. */
export const head = (frame: JsonObject): { readonly id?: string; readonly model?: string } => {
  const id = textAt(frame, "responseId");
  const model = textAt(frame, "modelVersion");
  return { ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) };
};

/** Returns true if the prompt was blocked. */
export const isBlocked = (frame: JsonObject): boolean =>
  textAt(objectAt(frame, "promptFeedback") ?? {}, "blockReason") !== undefined;
