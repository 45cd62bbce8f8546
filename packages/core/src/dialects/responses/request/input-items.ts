import * as v from "valibot";
import { openObject } from "../../../wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";

const text = v.string("must be a string");

const textPart = openObject({ type: v.picklist(["input_text", "output_text", "text"]), text }, "must be an object");
const refusalPart = openObject({ type: v.literal("refusal"), refusal: text }, "must be an object");
const imagePart = openObject(
  { type: v.literal("input_image"), image_url: v.nullish(text), file_id: v.nullish(text), detail: v.nullish(text) },
  "must be an object",
);
const filePart = openObject(
  {
    type: v.literal("input_file"),
    file_data: v.nullish(text),
    file_url: v.nullish(text),
    file_id: v.nullish(text),
    filename: v.nullish(text),
  },
  "must be an object",
);
const otherPart = openObject({ type: text }, "must be an object");

/** A part of a content. */
export type ContentPart = v.InferOutput<typeof otherPart>;

/** The names of the types of text parts. */
const textTypes: ReadonlySet<string> = new Set(["input_text", "output_text", "text"]);

/** True for a text. */
export const isTextPart = (part: ContentPart): part is v.InferOutput<typeof textPart> => textTypes.has(part.type);
/** True for a refusal of the model. */
export const isRefusalPart = (part: ContentPart): part is v.InferOutput<typeof refusalPart> => part.type === "refusal";
/** True for an image. */
export const isImagePart = (part: ContentPart): part is v.InferOutput<typeof imagePart> => part.type === "input_image";
/** True for a file. */
export const isFilePart = (part: ContentPart): part is v.InferOutput<typeof filePart> => part.type === "input_file";

const partSchemas = new Map<unknown, v.GenericSchema<ContentPart>>([
  ...[...textTypes].map((type): [string, typeof textPart] => [type, textPart]),
  ["refusal", refusalPart],
  ["input_image", imagePart],
  ["input_file", filePart],
]);
const part = v.lazy((input) => partSchemas.get(typeOf(input)) ?? otherPart);
const parts = v.array(part);
const contentText = v.string("must be a string or an array of parts");
const content = v.lazy((input) => (Array.isArray(input) ? parts : contentText));

/** A text, or parts of several types. */
export type Content = v.InferOutput<typeof content>;

const message = openObject(
  {
    type: v.nullish(v.literal("message")),
    role: v.picklist(
      ["user", "assistant", "system", "developer"],
      'must be one of "user", "assistant", "system", "developer"',
    ),
    content,
  },
  "must be an object",
);
const functionCall = openObject(
  { type: v.literal("function_call"), call_id: text, name: text, arguments: text },
  "must be an object",
);
const customCall = openObject(
  { type: v.literal("custom_tool_call"), call_id: text, name: text, input: text },
  "must be an object",
);
const callOutput = openObject(
  { type: v.picklist(["function_call_output", "custom_tool_call_output"]), call_id: text, output: content },
  "must be an object",
);
const reasoning = openObject({ type: v.literal("reasoning"), encrypted_content: v.nullish(text) }, "must be an object");
const reference = openObject({ type: v.nullish(v.literal("item_reference")), id: text }, "must be an object");
const otherItem = openObject({ type: text }, "must be an object");

/** An item of the input, of any type. */
export type InputItem = JsonObject;

/** A message of any role. */
export type MessageItem = v.InferOutput<typeof message>;
/** A call of a function. */
export type FunctionCallItem = v.InferOutput<typeof functionCall>;
/** A call of a custom tool. */
export type CustomCallItem = v.InferOutput<typeof customCall>;
/** The result of a call. */
export type CallOutputItem = v.InferOutput<typeof callOutput>;
/** The reasoning of the model. */
export type ReasoningItem = v.InferOutput<typeof reasoning>;
/** A reference to an item of a stored response. */
export type ReferenceItem = v.InferOutput<typeof reference>;

/** The type of an item. Messages and references may leave it out. */
export function itemType(item: InputItem): string {
  const { type } = item;
  if (typeof type === "string") return type;
  return item["role"] === undefined && typeof item["id"] === "string" ? "item_reference" : "message";
}

/** True for a message. */
export const isMessage = (item: InputItem): item is MessageItem => itemType(item) === "message";
/** True for a call of a function. */
export const isFunctionCall = (item: InputItem): item is FunctionCallItem => itemType(item) === "function_call";
/** True for a call of a custom tool. */
export const isCustomCall = (item: InputItem): item is CustomCallItem => itemType(item) === "custom_tool_call";
/** True for the result of a call of either kind. */
export const isCallOutput = (item: InputItem): item is CallOutputItem => callOutputTypes.has(itemType(item));
/** True for the reasoning of the model. */
export const isReasoning = (item: InputItem): item is ReasoningItem => itemType(item) === "reasoning";
/** True for a reference to an item of a stored response. */
export const isReference = (item: InputItem): item is ReferenceItem => itemType(item) === "item_reference";

const callOutputTypes: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output"]);

const itemSchemas = new Map<string, v.GenericSchema<InputItem>>([
  ["message", message],
  ["function_call", functionCall],
  ["custom_tool_call", customCall],
  ["function_call_output", callOutput],
  ["custom_tool_call_output", callOutput],
  ["reasoning", reasoning],
  ["item_reference", reference],
]);

/**
 * The schema of an item. Items of other types are not checked, since only targets that speak the Responses API get them.
 * Follows https://platform.openai.com/docs/api-reference/responses/create
 */
export const inputItem = v.lazy(
  (input): v.GenericSchema<InputItem> => (isJsonObject(input) && itemSchemas.get(itemType(input))) || otherItem,
);

const typeOf = (input: unknown): unknown => (isJsonObject(input) ? input["type"] : undefined);
