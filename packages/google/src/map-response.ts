import { isPlainObject, newCallId, signatureMembers } from "@tollgate/core/internal";
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChunkChoice,
  type CompletionChoice,
  type FinishReasons,
  finishReasonOf,
  isLosslessNumber,
  type JsonObject,
  ProviderError,
  type ToolCall,
  type Usage,
  writeLosslessJson,
} from "@tollgate/core/provider";
import { objectAt, objectsOf, textAt } from "./json.ts";

/**
 * Maps a GenerateContentResponse to a completion. Returns undefined if it has no candidates, unless the prompt was
 * blocked: that is an empty completion with the finish reason `content_filter`. Throws a ProviderError of the kind
 * `failed` if the model did not finish its answer.
 */
export function toCompletion(response: JsonObject): ChatCompletion | undefined {
  const candidates = objectsOf(response["candidates"]);
  if (candidates.length === 0 && !isBlocked(response)) return undefined;
  const usage = toUsage(response["usageMetadata"]);
  return {
    ...head(response),
    object: "chat.completion",
    choices: candidates.length === 0 ? [toChoice({ finishReason: "PROHIBITED_CONTENT" }, 0)] : candidates.map(toChoice),
    ...(usage === undefined ? {} : { usage }),
  };
}

function toChoice(candidate: JsonObject, position: number): CompletionChoice {
  const { text, thoughts, calls, signature } = readOutput(candidate);
  const hasCalls = calls.length > 0;
  return {
    index: indexOf(candidate, position),
    message: {
      role: "assistant",
      content: text === "" && hasCalls ? null : text,
      ...(thoughts === "" ? {} : { reasoning_content: thoughts }),
      ...(hasCalls ? { tool_calls: calls } : {}),
      ...signature,
    },
    finish_reason: toFinishReason(candidate["finishReason"], hasCalls) ?? (hasCalls ? "tool_calls" : "stop"),
  };
}

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

const head = (frame: JsonObject): Pick<ChatCompletion, "id" | "model"> => {
  const id = textAt(frame, "responseId");
  const model = textAt(frame, "modelVersion");
  return { ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) };
};

const isBlocked = (frame: JsonObject): boolean =>
  textAt(objectAt(frame, "promptFeedback") ?? {}, "blockReason") !== undefined;

/** Reads the parts of a candidate of an answer or a frame. Other types of parts, such as executed code, are left out. */
function readOutput(candidate: JsonObject) {
  const parts = objectsOf(objectAt(candidate, "content")?.["parts"]);
  const texts = parts.filter((part) => part["thought"] !== true && part["functionCall"] === undefined);
  const signature = texts.map((part) => textAt(part, "thoughtSignature")).findLast((each) => each !== undefined);
  return {
    text: joined(texts),
    thoughts: joined(parts.filter((part) => part["thought"] === true)),
    calls: parts.flatMap(readCall),
    // That of the text. A call has its own signature.
    signature: signatureMembers(signature),
  };
}

const joined = (parts: readonly JsonObject[]): string => parts.map((part) => textAt(part, "text") ?? "").join("");

function readCall(part: JsonObject): ToolCall[] {
  const call = objectAt(part, "functionCall");
  const name = call && textAt(call, "name");
  if (call === undefined || name === undefined) return [];
  return [
    {
      // Older models send no id.
      id: textAt(call, "id") ?? newCallId(),
      type: "function",
      function: { name, arguments: writeLosslessJson(objectAt(call, "args") ?? {}) },
      ...signatureMembers(textAt(part, "thoughtSignature")),
    },
  ];
}

/** Returns the index of a candidate. The API omits the index 0. */
function indexOf(candidate: JsonObject, position: number): number {
  const index = isLosslessNumber(candidate["index"]) ? Number(candidate["index"]) : candidate["index"];
  return typeof index === "number" && Number.isSafeInteger(index) && index >= 0 ? index : position;
}

/**
 * The words that core does not know as those of other upstreams. With most of them the model produced invalid output, so that
 * a retry may succeed. Follows https://ai.google.dev/api/generate-content#FinishReason
 */
const finishReasons: FinishReasons = {
  image_recitation: "content_filter",
  unexpected_tool_call: "interrupted",
  too_many_tool_calls: "interrupted",
  missing_thought_signature: "interrupted",
  no_image: "interrupted",
  image_other: "interrupted",
};

/**
 * Maps a finish reason to OpenAI's. Returns undefined if the candidate has not ended. Throws a ProviderError of the kind
 * `failed` for an answer that was not finished, so that it does not look complete.
 */
export function toFinishReason(reason: unknown, hasCalls: boolean): string | undefined {
  if (typeof reason !== "string" || reason === "" || reason === "FINISH_REASON_UNSPECIFIED") return undefined;
  const mapped = finishReasonOf(reason, finishReasons);
  if (mapped === "interrupted") {
    throw new ProviderError(
      "failed",
      `The model did not finish its answer (${reason.slice(0, 100)}). Try again, or use another target.`,
    );
  }
  return mapped === "stop" && hasCalls ? "tool_calls" : mapped;
}

const billed = ["toolUsePromptTokenCount", "thoughtsTokenCount", "candidatesTokenCount"];

/**
 * Maps `usageMetadata`. Returns undefined if the prompt count is absent or any billed count is invalid. The API omits
 * counts of zero. Tool use tokens count as prompt tokens, and thoughts as completion tokens.
 */
export function toUsage(metadata: unknown): Usage | undefined {
  if (!isPlainObject(metadata)) return undefined;
  const count = (name: string): number | undefined => {
    const value = metadata[name];
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  const prompt = count("promptTokenCount");
  if (prompt === undefined || billed.some((name) => metadata[name] != null && count(name) === undefined))
    return undefined;
  const promptTokens = prompt + (count("toolUsePromptTokenCount") ?? 0);
  const cached = count("cachedContentTokenCount");
  const thoughts = count("thoughtsTokenCount");
  const completionTokens = (count("candidatesTokenCount") ?? 0) + (thoughts ?? 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thoughts === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thoughts } }),
  };
}
