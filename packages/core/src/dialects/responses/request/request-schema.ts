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
import { inputItem } from "./input-items.ts";
import { responseTool } from "./tool-schemas.ts";

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
