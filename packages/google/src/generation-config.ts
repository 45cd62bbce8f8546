import type { ChatCompletionRequest } from "@tollgate/core/provider";
import type { GenerationConfig } from "./gemini-request.ts";
import { toGeminiSchema } from "./json-schema.ts";
import { refused } from "./refused.ts";
import { toThinkingConfig } from "./thinking-config.ts";

/** Maps the settings of the output. Returns undefined if the request has none. */
export function toGenerationConfig(
  request: ChatCompletionRequest,
  includeThoughts: boolean,
): GenerationConfig | undefined {
  const { reasoning_effort: effort, model } = request;
  const config = {
    ...present("candidateCount", request.n ?? undefined),
    ...present("stopSequences", readStop(request["stop"])),
    ...present("maxOutputTokens", request.max_completion_tokens ?? request.max_tokens ?? undefined),
    ...present("temperature", request.temperature ?? undefined),
    ...present("topP", readNumber(request, "top_p")),
    ...present("topK", readNumber(request, "top_k")),
    ...present("seed", readSeed(request)),
    ...present("presencePenalty", readNumber(request, "presence_penalty")),
    ...present("frequencyPenalty", readNumber(request, "frequency_penalty")),
    ...toResponseFormat(request.response_format),
    ...(effort == null ? {} : { thinkingConfig: toThinkingConfig(effort, model, includeThoughts) }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function present<Name extends keyof GenerationConfig>(
  name: Name,
  value: GenerationConfig[Name] | undefined,
): Pick<GenerationConfig, Name> | undefined;
function present(name: string, value: unknown) {
  return value === undefined ? undefined : { [name]: value };
}

function readNumber(request: ChatCompletionRequest, field: string): number | undefined {
  const value = request[field];
  if (value == null) return undefined;
  if (typeof value === "number") return value;
  throw refused(field, `\`${field}\` must be a number.`);
}

function readSeed(request: ChatCompletionRequest): number | undefined {
  const seed = readNumber(request, "seed");
  // The API stores the seed in 32 bits.
  if (seed === undefined || (seed === Math.trunc(seed) && Math.abs(seed) < 2 ** 31)) return seed;
  throw refused("seed", "`seed` must be an integer from -2147483647 to 2147483647 for this model.");
}

function readStop(stop: unknown): readonly string[] | undefined {
  if (stop == null) return undefined;
  const sequences: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  if (sequences.every((each) => typeof each === "string")) return sequences.length === 0 ? undefined : sequences;
  throw refused("stop", "`stop` must be a string or an array of strings.");
}

function toResponseFormat(format: ChatCompletionRequest["response_format"]): GenerationConfig {
  if (format == null) return {};
  const json = { responseMimeType: "application/json" } as const;
  if (format.type === "json_object") return json;
  return { ...json, responseJsonSchema: toGeminiSchema(format.json_schema.schema) };
}
