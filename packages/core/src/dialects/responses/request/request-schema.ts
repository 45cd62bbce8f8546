import * as v from "valibot";
import { cacheMember, moving } from "../../../wire/inspected-names.ts";
import type { JsonObject } from "../../../wire/json.ts";
import { openObject } from "../../../wire/open-object.ts";
import { byType, isOf, textOr } from "../../../wire/shape-choices.ts";
import { shapeOf } from "../../../wire/shape-of.ts";
import {
  flag,
  number,
  object,
  positiveInteger,
  type RequestProblem,
  text,
  validate,
} from "../../../wire/value-schemas.ts";

const functionTool = openObject({
  type: v.literal("function"),
  name: text,
  description: v.nullish(text),
  parameters: v.nullish(object),
  strict: v.nullish(flag),
});
const customTool = openObject({
  type: v.literal("custom"),
  name: text,
  description: v.nullish(text),
  format: v.nullish(object),
});
const otherTyped = openObject({ type: text });

/** A tool of any type, or a part of a content. */
export type TypedObject = v.InferOutput<typeof otherTyped>;

/** A tool may be a namespace of tools. */
const responseTool: v.GenericSchema<unknown, TypedObject> = byType(
  [functionTool, customTool, openObject({ type: v.literal("web_search") })],
  otherTyped,
  {
    lists: { tools: () => responseTool },
    // Members of the tools that an upstream runs, which have a price of their own. An image may have a background.
    allows: ["background", "container", "vector_store_ids"],
  },
);

/** True for a function. */
export const isFunctionTool = isOf(functionTool);

/** True for a custom tool. */
export const isCustomTool = isOf(customTool);

const textPart = openObject({ type: v.picklist(["input_text", "output_text", "text"]), text });
const thoughtPart = openObject({ type: v.literal("reasoning_text"), text });
const refusalPart = openObject({ type: v.literal("refusal"), refusal: text });
const imagePart = openObject(
  { type: v.literal("input_image"), image_url: v.nullish(text), detail: v.nullish(text) },
  { isParsed: true },
);
const filePart = openObject(
  {
    type: v.literal("input_file"),
    file_data: v.nullish(text),
    file_url: v.nullish(text),
    filename: v.nullish(text),
  },
  { isParsed: true },
);

/** True for a text. */
export const isTextPart = isOf(textPart);
/** True for a refusal of the model. */
export const isRefusalPart = isOf(refusalPart);
/** True for an image. */
export const isImagePart = isOf(imagePart);
/** True for a file. */
export const isFilePart = isOf(filePart);

const part: v.GenericSchema<unknown, TypedObject> = byType(
  [textPart, thoughtPart, refusalPart, imagePart, filePart],
  otherTyped,
  {
    isContent: true,
    reads: ["input_audio"],
  },
);
const parts = v.array(part, "must be a string or an array of parts");
const content = textOr(() => parts);

/** A text, or parts of several types. */
export type Content = v.InferOutput<typeof content>;

const message = openObject({
  type: v.nullish(v.literal("message")),
  role: v.picklist(
    ["user", "assistant", "system", "developer"],
    'must be one of "user", "assistant", "system", "developer"',
  ),
  content,
});
const functionCall = openObject({ type: v.literal("function_call"), call_id: text, name: text, arguments: text });
const customCall = openObject({ type: v.literal("custom_tool_call"), call_id: text, name: text, input: text });
const callOutput = openObject({
  type: v.picklist(["function_call_output", "custom_tool_call_output"]),
  call_id: text,
  output: content,
});
const reasoning = openObject({
  type: v.literal("reasoning"),
  encrypted_content: v.nullish(text),
  content: v.nullish(content),
});
const reference = openObject({ type: v.nullish(v.literal("item_reference")), id: text }, { isParsed: true });

/** The type of an item. Messages and references may leave it out. */
export function itemType(item: JsonObject): string {
  const { type } = item;
  if (typeof type === "string") return type;
  return item["role"] === undefined && typeof item["id"] === "string" ? "item_reference" : "message";
}

/** True for a message. */
export const isMessage = isOf(message, itemType);
/** True for a call of a function. */
export const isFunctionCall = isOf(functionCall, itemType);
/** True for a call of a custom tool. */
export const isCustomCall = isOf(customCall, itemType);
/** True for the result of a call of either kind. */
export const isCallOutput = isOf(callOutput, itemType);
/** True for the reasoning of the model. */
export const isReasoning = isOf(reasoning, itemType);
/** True for a reference to an item of a stored response. */
export const isReference = isOf(reference, itemType);

/** Items of other types are not checked, since only targets that speak the Responses API get them. */
const inputItem: v.GenericSchema<unknown, JsonObject> = byType(
  [message, functionCall, customCall, callOutput, reasoning, reference],
  otherTyped,
  {
    typeOf: itemType,
    isContent: true,
    reads: ["id", "namespace"],
    watches: { media: ["summary"] },
    lists: { tools: () => responseTool },
  },
);

const jsonSchemaFormat = openObject({
  type: v.literal("json_schema"),
  name: text,
  schema: object,
  strict: v.nullish(flag),
  description: v.nullish(text),
});
const otherFormat = openObject({
  type: v.picklist(["text", "json_object"], 'must be "text", "json_object" or "json_schema"'),
});
const format = byType([jsonSchemaFormat, otherFormat], otherFormat);

/** True for a format that has a JSON Schema. */
export const isSchemaFormat = isOf(jsonSchemaFormat);

const items = v.pipe(
  v.array(inputItem, "must be a string or an array of items"),
  v.minLength(1, "must have at least one item"),
);
const toolChoice = openObject(
  { type: text },
  { message: "must be a string or an object", reads: ["name", "mode", "tools"] },
);
const notAnObject = "must be a JSON object";

/**
 * The body of POST /responses. Members that are not listed are forwarded to targets that speak the Responses API. A listed
 * optional member that is null counts as absent. Follows https://platform.openai.com/docs/api-reference/responses/create
 */
const responsesRequest = openObject(
  {
    model: text,
    input: v.nullish(textOr(() => items)),
    instructions: v.nullish(text),
    stream: v.nullish(flag),
    store: v.nullish(flag),
    background: v.nullish(flag),
    previous_response_id: v.nullish(text),
    tools: v.nullish(v.array(responseTool, "must be an array")),
    tool_choice: v.nullish(textOr(() => toolChoice)),
    parallel_tool_calls: v.nullish(flag),
    text: v.nullish(openObject({ format: v.nullish(format), verbosity: v.nullish(text) })),
    reasoning: v.nullish(
      openObject({ effort: v.nullish(text), summary: v.nullish(text) }, { reads: ["generate_summary", "mode"] }),
    ),
    max_output_tokens: v.nullish(positiveInteger),
    temperature: v.nullish(number),
    top_p: v.nullish(number),
    truncation: v.nullish(text),
    include: v.nullish(v.array(text, "must be an array")),
    prompt_cache_key: v.nullish(text),
    safety_identifier: v.nullish(text),
    user: v.nullish(text),
    metadata: v.nullish(object),
  },
  {
    message: notAnObject,
    scanned: ["input", "instructions", "tools"],
    reads: ["conversation", "prompt"],
    // Members of a chat completion that some upstreams would follow, and members that start further work upstream.
    refuses: ["n", "max_tokens", "max_completion_tokens", "messages", "functions", "context_management"],
  },
);

/** What the scan of a request of the Responses API knows of it. */
export const responsesShape = shapeOf(responsesRequest, [...moving, cacheMember]);

const { input: _, instructions: __, tools: ___, ...settingEntries } = responsesRequest.entries;
const settings = openObject(settingEntries, { message: notAnObject });

/** A validated body of POST /responses. */
export type ResponsesRequest = v.InferOutput<typeof responsesRequest>;

/** Returns the items of an input. A text is one message of the user. */
export function itemsOf(input: ResponsesRequest["input"]): JsonObject[] {
  if (input == null) return [];
  if (typeof input !== "string") return input;
  return [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }];
}

/** Validates a request body. Returns the request, or the first problem. */
export function readResponsesRequest(
  value: unknown,
): { readonly request: ResponsesRequest } | { readonly problem: RequestProblem } {
  const read = validate(responsesRequest, value);
  return "problem" in read ? read : { request: read.output };
}

/** Validates a request whose input, instructions and tools have already been checked. The types of its tools are `tools`. */
export function readResponsesSettings(
  value: JsonObject,
  tools: readonly string[],
): { readonly request: ResponsesRequest } | { readonly problem: RequestProblem } {
  const read = validate(settings, value);
  if ("problem" in read) return read;
  const { output } = read;
  return { request: tools.length === 0 ? output : { ...output, tools: tools.map((type) => ({ type })) } };
}
