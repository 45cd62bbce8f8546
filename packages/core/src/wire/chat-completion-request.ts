import * as v from "valibot";
import { cacheMember, formatNames, thinkingNames } from "./inspected-names.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { openObject } from "./open-object.ts";
import { byType, textOr } from "./shape-choices.ts";
import { shapeOf } from "./shape-of.ts";
import { flag, number, object, positiveInteger, type RequestProblem, text, validate } from "./value-schemas.ts";

const reads = [cacheMember];

const functionType = v.literal("function", 'must be "function"');

const toolCall = openObject(
  {
    id: text,
    type: functionType,
    function: openObject({ name: text, arguments: text }, { isContent: true }),
  },
  { isContent: true, reads },
);

const textPart = openObject({ type: v.literal("text"), text });
const imagePart = openObject({
  type: v.literal("image_url"),
  image_url: openObject(
    { url: text, detail: v.nullish(text) },
    { message: "must be an object with a url", watches: { address: ["url"] } },
  ),
});

/** A part of another type may be the result of a tool, which contains parts. */
const contentPart = byType([textPart, imagePart], object, {
  isContent: true,
  reads,
  lists: { content: (): v.GenericSchema => contentPart },
});
const contentParts = v.array(contentPart, "must be a string, an array of parts or null");

/** Names under which upstreams read the thoughts of an earlier answer. */
export const thoughtNames = ["reasoning_content", "reasoning", "reasoning_details"] as const;

const message = openObject(
  {
    role: v.picklist(
      ["system", "developer", "user", "assistant", "tool"],
      'must be one of "system", "developer", "user", "assistant", "tool"',
    ),
    content: v.nullish(textOr(() => contentParts)),
    name: v.nullish(text),
    tool_call_id: v.nullish(text),
    tool_calls: v.nullish(v.array(toolCall, "must be an array")),
  },
  { isContent: true, reads, keepsNull: ["content"], watches: { thoughts: thoughtNames } },
);

const declaredFunction = openObject({ name: text, description: v.nullish(text), parameters: object }, { reads });
const tool = openObject({ type: functionType, function: declaredFunction }, { reads });

const jsonObjectFormat = openObject({ type: v.literal("json_object") });
const jsonSchemaFormat = openObject({
  type: v.literal("json_schema", 'must be "json_object" or "json_schema"'),
  json_schema: openObject({ name: text, strict: v.nullish(flag), schema: object }),
});
const responseFormat = byType([jsonSchemaFormat, jsonObjectFormat], jsonSchemaFormat);

const chosenTool = openObject({}, { reads: ["type", "function"], message: "must be a string or an object" });

const notAnObject = "must be a JSON object";

/**
 * The body of POST /chat/completions. Members that are not listed are forwarded to the provider unchanged.
 * A listed optional member that is null counts as absent.
 * Follows https://platform.openai.com/docs/api-reference/chat/create
 */
const chatCompletionRequest = openObject(
  {
    model: text,
    messages: v.pipe(v.array(message, "must be an array"), v.minLength(1, "must have at least one message")),
    stream: v.nullish(flag),
    stream_options: v.nullish(openObject({ include_usage: v.nullish(flag) })),
    temperature: v.nullish(number),
    n: v.nullish(
      v.pipe(
        number,
        v.integer("must be a whole number"),
        v.minValue(1, "must be at least 1"),
        v.maxValue(16, "must be at most 16"),
      ),
    ),
    max_tokens: v.nullish(positiveInteger),
    max_completion_tokens: v.nullish(positiveInteger),
    tools: v.nullish(v.array(tool, "must be an array")),
    tool_choice: v.nullish(textOr(() => chosenTool)),
    reasoning_effort: v.nullish(text),
    response_format: v.nullish(responseFormat),
  },
  {
    message: notAnObject,
    scanned: ["messages", "tools"],
    reads,
    lists: { functions: () => declaredFunction },
    watches: { spelling: [...formatNames, ...thinkingNames, "reasoning", "thinking", "text"] },
    // Of a message it names an earlier answer, and of a part it is the content.
    refuses: ["audio"],
  },
);

/** What the scan of a chat completion knows of it. */
export const chatShape = shapeOf(chatCompletionRequest);

const { messages: _, tools: __, ...settingEntries } = chatCompletionRequest.entries;
const settings = openObject(settingEntries, { message: notAnObject });

/** The parts of the request that have a name in the OpenAPI document. */
export const namedSchemas = {
  ChatCompletionRequest: chatCompletionRequest,
  ChatMessage: message,
  ContentPart: contentPart,
  Tool: tool,
  ToolCall: toolCall,
  ResponseFormat: responseFormat,
} as const;

/** A validated body of POST /chat/completions. */
export type ChatCompletionRequest = v.InferOutput<typeof chatCompletionRequest>;

/** A request without its messages. Its `tools`, if it has any, are an array with at least one element of any kind. */
export type ChatParameters = v.InferOutput<typeof settings>;

/** One message of the history. */
export type ChatMessage = ChatCompletionRequest["messages"][number];

/** A function that the model may call. */
export type Tool = NonNullable<ChatCompletionRequest["tools"]>[number];

/** A call of a function, made by the model. */
export type ToolCall = v.InferOutput<typeof toolCall>;

/** True for the default format, which counts as absent. */
export const isTextFormat = (format: unknown): boolean => isJsonObject(format) && format["type"] === "text";

/** Validates a request body. Returns the request, or the first problem. */
export function readChatCompletionRequest(
  value: unknown,
): { readonly request: ChatCompletionRequest } | { readonly problem: RequestProblem } {
  if (!isJsonObject(value)) return { problem: { param: undefined, message: notAnObject } };
  const read = validate(chatCompletionRequest, withoutTextFormat(value));
  return "problem" in read ? read : { request: read.output };
}

/** Validates a request whose messages and tools have already been checked. */
export function readChatParameters(
  value: JsonObject,
): { readonly parameters: ChatParameters } | { readonly problem: RequestProblem } {
  const given = withoutTextFormat(value);
  if (v.is(settings, given)) return { parameters: given };
  const read = validate(settings, given);
  return "problem" in read ? read : { parameters: read.output };
}

/** Removes the default format, which counts as absent. */
const withoutTextFormat = (value: JsonObject): JsonObject =>
  isTextFormat(value["response_format"]) ? { ...value, response_format: null } : value;
