import * as v from "valibot";
import { openObject, type RequestProblem, toProblem } from "../../../wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { inputItem } from "./input-items.ts";

const text = v.string("must be a string");
const flag = v.boolean("must be true or false");
const number = v.number("must be a number");
const object = v.custom<JsonObject>(isJsonObject, "must be an object");

const tool = openObject({ type: text }, "must be an object");
const functionTool = openObject(
  {
    type: v.literal("function"),
    name: text,
    description: v.nullish(text),
    parameters: v.nullish(object),
    strict: v.nullish(flag),
  },
  "must be an object",
);
const customTool = openObject(
  { type: v.literal("custom"), name: text, description: v.nullish(text), format: v.nullish(object) },
  "must be an object",
);

/** A function that the model may call. */
export type FunctionTool = v.InferOutput<typeof functionTool>;

/** A tool that the model calls with a text. */
export type CustomTool = v.InferOutput<typeof customTool>;

/** A tool of any type. */
export type ResponseTool = v.InferOutput<typeof tool>;

const toolSchemas = new Map<unknown, typeof functionTool | typeof customTool>([
  ["function", functionTool],
  ["custom", customTool],
]);
const anyTool = v.lazy((input): v.GenericSchema<ResponseTool> => {
  const type = isJsonObject(input) ? input["type"] : undefined;
  return toolSchemas.get(type) ?? tool;
});

/** True for a function. */
export const isFunctionTool = (tool: ResponseTool): tool is FunctionTool => tool.type === "function";

/** True for a custom tool. */
export const isCustomTool = (tool: ResponseTool): tool is CustomTool => tool.type === "custom";

const jsonSchemaFormat = openObject(
  { type: v.literal("json_schema"), name: text, schema: object, strict: v.nullish(flag), description: v.nullish(text) },
  "must be an object",
);
const otherFormat = openObject(
  { type: v.picklist(["text", "json_object"], 'must be "text", "json_object" or "json_schema"') },
  "must be an object",
);
const format = v.lazy((input) =>
  isJsonObject(input) && input["type"] === "json_schema" ? jsonSchemaFormat : otherFormat,
);

/** A format of the answer. */
type TextFormat = v.InferOutput<typeof format>;

/** True for a format that has a JSON Schema. */
export const isSchemaFormat = (format: TextFormat): format is v.InferOutput<typeof jsonSchemaFormat> =>
  format.type === "json_schema";

const positiveInteger = v.pipe(number, v.safeInteger("must be a whole number"), v.minValue(1, "must be at least 1"));
const items = v.pipe(v.array(inputItem, "must be an array"), v.minLength(1, "must have at least one item"));
const inputText = v.string("must be a string or an array of items");

/**
 * The body of POST /responses. Members that are not listed are forwarded to targets that speak the Responses API. A listed
 * optional member that is null counts as absent. Follows https://platform.openai.com/docs/api-reference/responses/create
 */
const responsesRequest = openObject(
  {
    model: text,
    input: v.nullish(v.lazy((input) => (Array.isArray(input) ? items : inputText))),
    instructions: v.nullish(text),
    stream: v.nullish(flag),
    store: v.nullish(flag),
    background: v.nullish(flag),
    previous_response_id: v.nullish(text),
    tools: v.nullish(v.array(anyTool, "must be an array")),
    tool_choice: v.nullish(
      v.lazy((input) =>
        typeof input === "string" ? text : openObject({ type: text }, "must be a string or an object"),
      ),
    ),
    parallel_tool_calls: v.nullish(flag),
    text: v.nullish(openObject({ format: v.nullish(format), verbosity: v.nullish(text) }, "must be an object")),
    reasoning: v.nullish(openObject({ effort: v.nullish(text), summary: v.nullish(text) }, "must be an object")),
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
  "must be a JSON object",
);

/** A validated body of POST /responses. */
export type ResponsesRequest = v.InferOutput<typeof responsesRequest>;

/** Validates a request body. Returns the request, or the first problem. */
export function readResponsesRequest(
  value: unknown,
): { readonly request: ResponsesRequest } | { readonly problem: RequestProblem } {
  const result = v.safeParse(responsesRequest, value, { abortEarly: true });
  return result.success ? { request: result.output } : { problem: toProblem(result.issues[0]) };
}
