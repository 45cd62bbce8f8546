import * as v from "valibot";
import { cacheMember } from "../../../wire/inspected-names.ts";
import type { JsonObject } from "../../../wire/json.ts";
import { openObject } from "../../../wire/open-object.ts";
import { byType, textOr } from "../../../wire/shape-choices.ts";
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

const fraction = v.pipe(number, v.minValue(0, "must be at least 0"), v.maxValue(1, "must be at most 1"));

const reads = [cacheMember];

/** A block of content. */
export type Block = JsonObject & { readonly type: string };

/** The data of an image or of a document, which may also contain blocks. */
const source = openObject(
  { type: text },
  { isContent: true, reads: ["media_type", "data", "url"], lists: { content: () => block } },
);
const textBlock = openObject({ type: v.literal("text", 'must be "text"'), text }, { isContent: true, reads });
const blockContent = textOr(() => blocks);

/** The blocks that the gateway reads. Any other block is only forwarded. */
const block: v.GenericSchema<unknown, Block> = byType(
  [
    textBlock,
    openObject({ type: v.literal("image"), source }, { isParsed: true }),
    openObject({ type: v.literal("document"), source }, { isParsed: true }),
    // Thoughts without a signature are left out of the request.
    openObject({ type: v.literal("thinking"), thinking: text }, { needs: ["signature"] }),
    openObject({ type: v.literal("redacted_thinking") }),
    openObject({ type: v.literal("tool_use"), id: text, name: text, input: v.nullish(object) }),
    openObject({
      type: v.literal("tool_result"),
      tool_use_id: text,
      is_error: v.nullish(flag),
      content: v.nullish(blockContent),
    }),
  ],
  openObject({ type: text }),
  { isContent: true, reads },
);
const blocks = v.array(block, "must be a string or an array of blocks");

const message = openObject(
  {
    role: v.picklist(["user", "assistant", "system"], 'must be one of "user", "assistant", "system"'),
    content: blockContent,
  },
  { isContent: true },
);

/** True for the type of a tool whose schema is in the request. */
export const isCustomType = (type: unknown): boolean => type == null || type === "custom";

/** A tool without a type, or of the type `custom`, has a schema. The others are defined by Anthropic. */
const tool = byType(
  [
    openObject({
      type: v.nullish(v.literal("custom")),
      name: text,
      description: v.nullish(text),
      input_schema: object,
    }),
  ],
  openObject({ type: text, name: v.nullish(text) }),
  { reads: [...reads, "strict"] },
);

const toolChoice = openObject({
  type: v.picklist(["auto", "any", "tool", "none"], 'must be one of "auto", "any", "tool", "none"'),
  name: v.nullish(text),
  disable_parallel_tool_use: v.nullish(flag),
});

const format = openObject({ type: v.literal("json_schema", 'must be "json_schema"'), schema: object });

/**
 * The body of POST /messages. Members that are not listed go to targets that speak this dialect.
 * Follows https://platform.claude.com/docs/en/api/messages/create
 */
const entries = {
  model: text,
  messages: v.pipe(v.array(message, "must be an array"), v.minLength(1, "must have at least one message")),
  system: v.nullish(textOr(() => systemBlocks)),
  tools: v.nullish(v.array(tool, "must be an array")),
  tool_choice: v.nullish(toolChoice),
  thinking: v.nullish(openObject({ type: text, budget_tokens: v.nullish(positiveInteger) }, { reads: ["display"] })),
  output_config: v.nullish(openObject({ effort: v.nullish(text), format: v.nullish(format) })),
  output_format: v.nullish(format),
  max_tokens: positiveInteger,
  stream: v.nullish(flag),
  temperature: v.nullish(fraction),
  top_p: v.nullish(fraction),
  top_k: v.nullish(v.pipe(number, v.safeInteger("must be a whole number"), v.minValue(0, "must be at least 0"))),
  stop_sequences: v.nullish(v.array(text, "must be an array of strings")),
  metadata: v.nullish(openObject({ user_id: v.nullish(text) })),
};
const systemBlocks = v.array(textBlock, "must be a string or an array of blocks");

const notAnObject = "must be a JSON object";
const messagesRequest = openObject(entries, {
  message: notAnObject,
  scanned: ["messages", "system", "tools"],
  reads: [...reads, "context_management", "compaction"],
});
const optionalCap = { max_tokens: v.nullish(positiveInteger) };
const countRequest = openObject({ ...entries, ...optionalCap }, { message: notAnObject });

/** What the scan of a Messages request knows of it. */
export const messagesShape = shapeOf(messagesRequest);

const { messages: _, system: __, ...others } = entries;
const settingEntries = { ...others, tools: v.nullish(v.array(object)) };
const settings = openObject(settingEntries, { message: notAnObject });
const countSettings = openObject({ ...settingEntries, ...optionalCap }, { message: notAnObject });

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
  const read = validate(counts ? countRequest : messagesRequest, value);
  return "problem" in read ? read : { request: read.output };
}

/** Validates a body whose messages, system prompt and tools have already been checked. */
export function readMessagesSettings(
  value: JsonObject,
  counts: boolean,
): { readonly settings: MessagesSettings } | { readonly problem: RequestProblem } {
  const read = validate(counts ? countSettings : settings, value);
  return "problem" in read ? read : { settings: read.output };
}
