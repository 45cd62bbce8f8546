import * as v from "valibot";
import { openObject, type RequestProblem, toProblem } from "../../../wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";

const text = v.string("must be a string");
const boolean = v.boolean("must be true or false");
const object = v.custom<JsonObject>(isJsonObject, "must be an object");
const isObject = "must be an object";
const fraction = v.pipe(
  v.number("must be a number"),
  v.minValue(0, "must be at least 0"),
  v.maxValue(1, "must be at most 1"),
);
const positiveInteger = v.pipe(
  v.number("must be a number"),
  v.safeInteger("must be a whole number"),
  v.minValue(1, "must be at least 1"),
);

const textBlock = openObject({ type: v.literal("text", 'must be "text"'), text }, isObject);
const otherBlock = openObject({ type: text }, isObject);

/** The blocks that the gateway reads. Any other block is only forwarded. */
const knownBlocks: ReadonlyMap<unknown, BlockSchema> = new Map<unknown, BlockSchema>([
  ["text", textBlock],
  ["image", openObject({ type: text, source: openObject({ type: text }, isObject) }, isObject)],
  ["document", openObject({ type: text, source: openObject({ type: text }, isObject) }, isObject)],
  ["thinking", openObject({ type: text, thinking: text }, isObject)],
  ["tool_use", openObject({ type: text, id: text, name: text, input: v.nullish(object) }, isObject)],
  [
    "tool_result",
    openObject(
      {
        type: text,
        tool_use_id: text,
        is_error: v.nullish(boolean),
        content: v.nullish(v.lazy((input) => (Array.isArray(input) ? v.array(block) : contentText))),
      },
      isObject,
    ),
  ],
]);

const contentText = v.string("must be a string or an array of blocks");

/** A block of content. */
export type Block = JsonObject & { readonly type: string };

type BlockSchema = v.GenericSchema<unknown, Block>;

const block: BlockSchema = v.lazy(
  (input) => (isJsonObject(input) ? knownBlocks.get(input["type"]) : undefined) ?? otherBlock,
);

const message = openObject(
  {
    role: v.picklist(["user", "assistant", "system"], 'must be one of "user", "assistant", "system"'),
    content: v.lazy((input) => (Array.isArray(input) ? v.array(block) : contentText)),
  },
  isObject,
);

/** A tool without a type, or of the type `custom`, has a schema. The others are defined by Anthropic. */
const tool = v.lazy((input) => (isJsonObject(input) && isCustomType(input["type"]) ? customTool : definedTool));
const customTool = openObject({ name: text, description: v.nullish(text), input_schema: object }, isObject);
const definedTool = openObject({ type: text, name: v.nullish(text) }, isObject);

/** True for the type of a tool whose schema is in the request. */
export const isCustomType = (type: unknown): boolean => type == null || type === "custom";

const toolChoice = openObject(
  {
    type: v.picklist(["auto", "any", "tool", "none"], 'must be one of "auto", "any", "tool", "none"'),
    name: v.nullish(text),
    disable_parallel_tool_use: v.nullish(boolean),
  },
  isObject,
);

const format = openObject({ type: v.literal("json_schema", 'must be "json_schema"'), schema: object }, isObject);

/**
 * The body of POST /messages. Members that are not listed go to targets that speak this dialect.
 * Follows https://platform.claude.com/docs/en/api/messages/create
 */
const entries = {
  model: text,
  messages: v.pipe(v.array(message, "must be an array"), v.minLength(1, "must have at least one message")),
  system: v.nullish(v.lazy((input) => (Array.isArray(input) ? v.array(textBlock) : contentText))),
  tools: v.nullish(v.array(tool, "must be an array")),
  tool_choice: v.nullish(toolChoice),
  thinking: v.nullish(openObject({ type: text, budget_tokens: v.nullish(positiveInteger) }, isObject)),
  output_config: v.nullish(openObject({ effort: v.nullish(text), format: v.nullish(format) }, isObject)),
  output_format: v.nullish(format),
  max_tokens: positiveInteger,
  stream: v.nullish(boolean),
  temperature: v.nullish(fraction),
  top_p: v.nullish(fraction),
  top_k: v.nullish(
    v.pipe(v.number("must be a number"), v.safeInteger("must be a whole number"), v.minValue(0, "must be at least 0")),
  ),
  stop_sequences: v.nullish(v.array(text, "must be an array of strings")),
  metadata: v.nullish(openObject({ user_id: v.nullish(text) }, isObject)),
};

const notAnObject = "must be a JSON object";
const messagesRequest = openObject(entries, notAnObject);
const optionalCap = { max_tokens: v.nullish(positiveInteger) };
const countRequest = openObject({ ...entries, ...optionalCap }, notAnObject);

const { messages: _, system: __, ...others } = entries;
const settingEntries = { ...others, tools: v.nullish(v.array(object)) };
const settings = openObject(settingEntries, notAnObject);
const countSettings = openObject({ ...settingEntries, ...optionalCap }, notAnObject);

/** A validated body of POST /messages, or of POST /messages/count_tokens, which has no `max_tokens`. */
export type MessagesRequest = v.InferOutput<typeof countRequest>;

/** One message of the history. */
export type Message = MessagesRequest["messages"][number];

/** A request without what its model reads. Its `tools`, if it has any, are an array with at least one element of any kind. */
export type MessagesSettings = v.InferOutput<typeof countSettings>;

/** Validates a body. Returns the request, or the first problem. `counts` is true for a request that only counts tokens. */
export function readMessagesRequest(
  value: unknown,
  counts: boolean,
): { readonly request: MessagesRequest } | { readonly problem: RequestProblem } {
  const result = v.safeParse(counts ? countRequest : messagesRequest, value, { abortEarly: true });
  return result.success ? { request: result.output } : { problem: toProblem(result.issues[0]) };
}

/** Validates a body whose messages, system prompt and tools have already been checked. */
export function readMessagesSettings(
  value: JsonObject,
  counts: boolean,
): { readonly settings: MessagesSettings } | { readonly problem: RequestProblem } {
  const result = v.safeParse(counts ? countSettings : settings, value, { abortEarly: true });
  return result.success ? { settings: result.output } : { problem: toProblem(result.issues[0]) };
}
