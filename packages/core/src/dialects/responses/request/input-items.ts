import * as v from "valibot";
import type { JsonObject } from "../../../wire/json.ts";
import { openObject } from "../../../wire/open-object.ts";
import { byType, isOf, textOr } from "../../../wire/shape-choices.ts";
import { text } from "../../../wire/value-schemas.ts";
import { responseTool } from "./tool-schemas.ts";

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
const otherPart = openObject({ type: text });

/** A part of a content. */
export type ContentPart = v.InferOutput<typeof otherPart>;

/** True for a text. */
export const isTextPart = isOf(textPart);
/** True for a refusal of the model. */
export const isRefusalPart = isOf(refusalPart);
/** True for an image. */
export const isImagePart = isOf(imagePart);
/** True for a file. */
export const isFilePart = isOf(filePart);

const part: v.GenericSchema<unknown, ContentPart> = byType(
  [textPart, thoughtPart, refusalPart, imagePart, filePart],
  otherPart,
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
const otherItem = openObject({ type: text });

/** An item of the input, of any type. */
export type InputItem = JsonObject;

/** A message of any role. */
export type MessageItem = v.InferOutput<typeof message>;
/** The reasoning of the model. */
export type ReasoningItem = v.InferOutput<typeof reasoning>;

/** The type of an item. Messages and references may leave it out. */
export function itemType(item: InputItem): string {
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

/**
 * The schema of an item. Items of other types are not checked, since only targets that speak the Responses API get them.
 * Follows https://platform.openai.com/docs/api-reference/responses/create
 */
export const inputItem: v.GenericSchema<unknown, InputItem> = byType(
  [message, functionCall, customCall, callOutput, reasoning, reference],
  otherItem,
  {
    typeOf: itemType,
    isContent: true,
    reads: ["id", "namespace"],
    watches: { media: ["summary"] },
    lists: { tools: () => responseTool },
  },
);
