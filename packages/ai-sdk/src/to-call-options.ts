import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { isJsonObject } from "@tollgate/core/internal";
import type { ChatCompletionRequest } from "@tollgate/core/provider";
import { refusal, toPrompt } from "./to-prompt.ts";

/** Maps a request to the call options of a language model. Throws `rejected` for a value that the SDK does not support. */
export function toCallOptions(request: ChatCompletionRequest): LanguageModelV3CallOptions {
  if (request.n != null && request.n > 1)
    throw refusal("This model returns one choice. Leave n out, or set it to 1.", "n");
  const stop = readStop(request["stop"]);
  const cap = request.max_completion_tokens ?? request.max_tokens;
  return {
    prompt: toPrompt(request.messages),
    ...(cap == null ? {} : { maxOutputTokens: cap }),
    ...readNumbers(request),
    ...(stop === undefined ? {} : { stopSequences: stop }),
    ...toTools(request.tools),
    ...toToolChoice(request.tool_choice),
    ...toResponseFormat(request.response_format),
  };
}

const numbers = [
  ["temperature", "temperature"],
  ["top_p", "topP"],
  ["top_k", "topK"],
  ["seed", "seed"],
  ["presence_penalty", "presencePenalty"],
  ["frequency_penalty", "frequencyPenalty"],
] as const;

function readNumbers(request: ChatCompletionRequest) {
  const sampling: Pick<LanguageModelV3CallOptions, (typeof numbers)[number][1]> = {};
  for (const [member, option] of numbers) {
    const value = request[member];
    if (value == null) continue;
    if (typeof value !== "number") throw refusal(`${member} must be a number.`, member);
    sampling[option] = value;
  }
  return sampling;
}

function readStop(stop: unknown): string[] | undefined {
  if (stop == null) return undefined;
  const sequences: unknown[] = Array.isArray(stop) ? stop : [stop];
  if (!sequences.every((each) => typeof each === "string")) {
    throw refusal("stop must be a string or an array of strings.", "stop");
  }
  return sequences;
}

function toResponseFormat(
  format: ChatCompletionRequest["response_format"],
): Pick<LanguageModelV3CallOptions, "responseFormat"> {
  if (format == null) return {};
  if (format.type === "json_object") return { responseFormat: { type: "json" } };
  if (!isJsonObject(format["json_schema"])) throw refusal("json_schema must be an object.", "response_format");
  const { name, schema, description } = format.json_schema;
  const described = typeof description === "string" ? { description } : {};
  return { responseFormat: { type: "json", name, schema, ...described } };
}

function toTools(tools: ChatCompletionRequest["tools"]): Pick<LanguageModelV3CallOptions, "tools"> {
  if (tools == null || tools.length === 0) return {};
  return {
    tools: tools.map(({ function: { name, description, parameters, strict } }) => ({
      type: "function",
      name,
      inputSchema: parameters,
      ...(description == null ? {} : { description }),
      ...(typeof strict === "boolean" ? { strict } : {}),
    })),
  };
}

function toToolChoice(choice: unknown): Pick<LanguageModelV3CallOptions, "toolChoice"> {
  if (choice == null) return {};
  if (choice === "auto" || choice === "none" || choice === "required") return { toolChoice: { type: choice } };
  const called = isJsonObject(choice) && choice["type"] === "function" ? choice["function"] : undefined;
  const name = isJsonObject(called) ? called["name"] : undefined;
  if (typeof name === "string") return { toolChoice: { type: "tool", toolName: name } };
  throw refusal('tool_choice must be "auto", "none", "required" or one function by name.', "tool_choice");
}
