import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Content,
  type LanguageModelV3FinishReason,
  type LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import type { ScriptedUpstream, UpstreamScript } from "@tollgate/contract";
import { ModelUnderTest } from "./models.ts";

type Script<Kind> = Extract<UpstreamScript, { kind: Kind }>;

/** A language model that plays the scripts of the suite. It returns complete tool calls and ignores the signal. */
export function scriptedLanguageModel(upstream: ScriptedUpstream): LanguageModelV3 {
  const take = (options: LanguageModelV3CallOptions) => upstream.take(JSON.stringify(options.prompt));
  return new ModelUnderTest({
    generate: async (options) => {
      const script = take(options);
      if (script.kind === "failure") throw errorOf(script);
      if (script.kind !== "answer" || script.ending === "stalled") return new Promise(() => undefined);
      const text: LanguageModelV3Content = { type: "text", text: script.pieces.join("") };
      return { content: [text, ...callsOf(script)], ...endOf(script), warnings: [] };
    },
    parts: async function* (options) {
      const script = take(options);
      if (script.kind === "failure" && script.place === "head") throw errorOf(script);
      if (script.kind === "failure") yield { type: "error", error: frameOf(script) };
      else if (script.kind === "answer") yield* partsOf(script);
      else await new Promise(() => undefined);
    },
  });
}

async function* partsOf(answer: Script<"answer">): AsyncGenerator<LanguageModelV3StreamPart, void, void> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "text-start", id: "a" };
  const words = answer.pieces.map((delta) => ({ type: "text-delta", id: "a", delta }) as const);
  if (answer.ending === "whole") {
    yield* words;
    yield { type: "text-end", id: "a" };
    yield* callsOf(answer);
    yield { type: "finish", ...endOf(answer) };
    return;
  }
  yield* words.slice(0, 1);
  if (answer.ending === "stalled") await new Promise(() => undefined);
  if (answer.ending === "error") yield { type: "error", error: { type: "api_error", message: "It broke." } };
}

const callsOf = ({ toolCalls }: Script<"answer">) =>
  toolCalls.map(({ id, name, argumentPieces }) => {
    return { type: "tool-call", toolCallId: id, toolName: name, input: argumentPieces.join("") } as const;
  });

const reasons: Readonly<Record<Script<"answer">["finish"], LanguageModelV3FinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
};

const endOf = ({ finish, promptTokens, completionTokens }: Script<"answer">) => ({
  finishReason: { unified: reasons[finish], raw: finish },
  usage: {
    inputTokens: { total: promptTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: completionTokens, text: undefined, reasoning: undefined },
  },
});

const frameOf = ({ status, about, message }: Script<"failure">) => ({
  error: { message, code: about === "context_length" ? "context_length_exceeded" : status },
});

function errorOf(failure: Script<"failure">): APICallError {
  const { retryAfterSeconds } = failure;
  return new APICallError({
    message: failure.message,
    url: "https://hand-written.test/v1",
    requestBodyValues: {},
    statusCode: failure.status,
    responseBody: JSON.stringify(frameOf(failure)),
    ...(retryAfterSeconds === undefined ? {} : { responseHeaders: { "retry-after": String(retryAfterSeconds) } }),
  });
}
