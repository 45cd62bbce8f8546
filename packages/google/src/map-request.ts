import type { ChatCompletionRequest, JsonObject, Tool } from "@tollgate/core/provider";
import type {
  FunctionCallingConfig,
  GeminiRequest,
  GenerationConfig,
  SafetySetting,
  ThinkingConfig,
} from "./gemini-request.ts";
import { objectAt, objectsOf, textAt } from "./json.ts";
import { toGeminiSchema } from "./json-schema.ts";
import { mapMessages } from "./map-messages.ts";
import { isPro, thinkingKind } from "./model-generation.ts";
import { refused, refuseUnsupported } from "./refused.ts";

/** Options that the host sets for all requests. */
export interface RequestSettings {
  readonly includeThoughts: boolean;
  readonly safetySettings: readonly SafetySetting[];
}

/**
 * Maps a request to the Gemini API. Throws a ProviderError of the kind `rejected` that names the field if the API does
 * not support it.
 */
export function toGeminiRequest(request: ChatCompletionRequest, settings: RequestSettings): GeminiRequest {
  refuseUnsupported(request);
  const generationConfig = toGenerationConfig(request, settings.includeThoughts);
  return {
    ...mapMessages(request.messages, request.model),
    ...mapTools(request),
    ...(generationConfig === undefined ? {} : { generationConfig }),
    ...(settings.safetySettings.length === 0 ? {} : { safetySettings: settings.safetySettings }),
  };
}

function mapTools({ tools, tool_choice: choice }: ChatCompletionRequest): Pick<GeminiRequest, "tools" | "toolConfig"> {
  if (tools == null || tools.length === 0) {
    if (choice == null || choice === "auto" || choice === "none") return {};
    throw refused("tool_choice", "`tool_choice` requires a tool, but the request has none. Send `tools` as well.");
  }
  return {
    tools: [{ functionDeclarations: tools.map(toDeclaration) }],
    ...(choice == null ? {} : { toolConfig: { functionCallingConfig: toConfig(choice) } }),
  };
}

function toDeclaration({ function: { name, description, parameters } }: Tool) {
  return {
    name,
    ...(description == null ? {} : { description }),
    ...(hasNoParameters(parameters) ? {} : { parametersJsonSchema: toGeminiSchema(parameters) }),
  };
}

/** The API rejects the schema of an empty object, and accepts a function without parameters instead. */
const hasNoParameters = (parameters: JsonObject): boolean =>
  Object.keys(parameters).every((name) =>
    ["type", "properties", "required", "$schema", "additionalProperties"].includes(name),
  ) &&
  Object.keys(objectAt(parameters, "properties") ?? {}).length === 0 &&
  (parameters["additionalProperties"] ?? false) === false;

const modes: ReadonlyMap<unknown, FunctionCallingConfig["mode"]> = new Map([
  ["auto", "AUTO"],
  ["required", "ANY"],
  ["none", "NONE"],
]);

function toConfig(choice: string | JsonObject): FunctionCallingConfig {
  const mode = modes.get(choice);
  if (mode !== undefined) return { mode };
  const allowed = typeof choice === "string" ? undefined : toAllowed(choice);
  if (allowed !== undefined) return allowed;
  throw refused(
    "tool_choice",
    '`tool_choice` must be "auto", "none", "required", or an object that names functions, such as {"type":"function","function":{"name":"f"}}.',
  );
}

function toAllowed(choice: JsonObject): FunctionCallingConfig | undefined {
  if (choice["type"] === "function") return toNames("ANY", [choice]);
  const allowed = objectAt(choice, "allowed_tools");
  if (choice["type"] !== "allowed_tools" || allowed === undefined) return undefined;
  // AUTO does not accept function names; VALIDATED is AUTO with names.
  return toNames(allowed["mode"] === "required" ? "ANY" : "VALIDATED", objectsOf(allowed["tools"]));
}

function toNames(mode: FunctionCallingConfig["mode"], tools: readonly JsonObject[]): FunctionCallingConfig | undefined {
  const names = tools.flatMap((tool) => textAt(objectAt(tool, "function") ?? {}, "name") ?? []);
  return names.length === 0 || names.length < tools.length ? undefined : { mode, allowedFunctionNames: names };
}

/** Maps the settings of the output. Returns undefined if the request has none. */
function toGenerationConfig(request: ChatCompletionRequest, includeThoughts: boolean): GenerationConfig | undefined {
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

const levels: ReadonlyMap<string, NonNullable<ThinkingConfig["thinkingLevel"]>> = new Map([
  ["minimal", "MINIMAL"],
  ["low", "LOW"],
  ["medium", "MEDIUM"],
  ["high", "HIGH"],
]);

/** In tokens. */
const budgets: ReadonlyMap<string, number> = new Map([
  ["minimal", 1_024],
  ["low", 1_024],
  ["medium", 8_192],
  ["high", 24_576],
]);

/**
 * Maps `reasoning_effort` to the thinking level or budget in Google's own table. Throws a ProviderError of the kind
 * `rejected` for an unsupported effort. Follows https://ai.google.dev/gemini-api/docs/openai#thinking
 */
export function toThinkingConfig(effort: string, model: string, includeThoughts: boolean): ThinkingConfig {
  const kind = thinkingKind(model);
  if (kind === "none")
    throw refused("reasoning_effort", "This model does not support reasoning. Leave `reasoning_effort` out.");
  if (effort === "none") return withoutThinking(model);
  const summaries = includeThoughts ? { includeThoughts: true as const } : {};
  if (kind === "budget") return { thinkingBudget: lookUp(budgets, effort), ...summaries };
  const level = lookUp(levels, effort);
  return { thinkingLevel: level === "MINIMAL" && isPro(model) ? "LOW" : level, ...summaries };
}

function withoutThinking(model: string): ThinkingConfig {
  if (thinkingKind(model) === "budget" && !isPro(model)) return { thinkingBudget: 0 };
  throw refused("reasoning_effort", 'This model always reasons. Set `reasoning_effort` to "minimal" or "low".');
}

function lookUp<Value>(table: ReadonlyMap<string, Value>, effort: string): Value {
  const value = table.get(effort);
  if (value !== undefined) return value;
  throw refused(
    "reasoning_effort",
    '`reasoning_effort` must be one of "none", "minimal", "low", "medium", "high" for this model.',
  );
}
