import * as v from "valibot";
import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * A `looseObject` with these `entries`, for entries that change nothing. It returns an accepted object itself, while valibot's `looseObject`
 * copies all members. Optional entries are `nullish`.
 */
export function openObject<const Entries extends v.ObjectEntries>(entries: Entries, message: string) {
  type Open = v.InferOutput<v.LooseObjectSchema<Entries, string>>;
  const accepted = v.custom<Open>(() => true);
  const refused = ({ input, received, message, path }: v.BaseIssue<unknown>) =>
    v.pipe(
      accepted,
      v.rawCheck(({ addIssue }) => addIssue({ input, received, message, ...(path && { path }) })),
    );
  const noObject = v.custom<Open>(() => false, message);
  const known = Object.entries(entries).map(([name, schema]) => toEntry(name, schema, message));
  const schema = v.lazy((input) => {
    if (!isJsonObject(input)) return noObject;
    const issue = problemOf(known, input);
    return issue === undefined ? accepted : refused(issue);
  });
  return Object.assign(schema, { entries });
}

interface Entry {
  readonly name: string;
  readonly schema: v.ObjectEntries[string];
  readonly isOptional: boolean;
  /** A cheap check, which is repeated to find out what is wrong. */
  readonly isLeaf: boolean;
  readonly missing: v.GenericSchema;
}

const leaves: ReadonlySet<string> = new Set(["string", "number", "boolean", "literal", "picklist", "custom"]);

function toEntry(name: string, schema: v.ObjectEntries[string], message: string): Entry {
  const isOptional = schema.type === "nullish";
  const inner = "wrapped" in schema ? schema.wrapped : schema;
  return {
    name,
    schema,
    isOptional,
    isLeaf: leaves.has(typeOf(inner)),
    missing: v.looseObject({ [name]: schema }, message),
  };
}

const typeOf = (schema: unknown): string =>
  isJsonObject(schema) && typeof schema["type"] === "string" ? schema["type"] : "";

/** Returns the first problem of the members. Each nested object is checked only once. */
function problemOf(entries: readonly Entry[], input: JsonObject): v.BaseIssue<unknown> | undefined {
  for (const { name, schema, isOptional, isLeaf, missing } of entries) {
    const value = input[name];
    if (value == null && isOptional) continue;
    if (value === undefined) return v.safeParse(missing, {}).issues?.[0];
    if (isLeaf && v.is(schema, value)) continue;
    const { issues } = v.safeParse(schema, value, { abortEarly: true });
    if (issues !== undefined)
      return inside(issues[0], { type: "object", origin: "value", input: {}, key: name, value });
  }
  return undefined;
}

const inside = (issue: v.BaseIssue<unknown>, item: v.IssuePathItem): v.BaseIssue<unknown> => ({
  ...issue,
  path: [item, ...(issue.path ?? [])],
});

const text = v.string("must be a string");
const object = v.custom<{ readonly [key: string]: unknown }>(isJsonObject, "must be an object");
const choiceObject = v.custom<{ readonly [key: string]: unknown }>(isJsonObject, "must be a string or an object");
const positiveInteger = v.pipe(
  v.number("must be a number"),
  v.safeInteger("must be a whole number"),
  v.minValue(1, "must be at least 1"),
);

const toolCall = openObject(
  {
    id: text,
    type: v.literal("function", 'must be "function"'),
    function: openObject({ name: text, arguments: text }, "must be an object"),
  },
  "must be an object",
);

const textPart = openObject({ type: v.literal("text"), text }, "must be an object");
const imagePart = openObject(
  {
    type: v.literal("image_url"),
    image_url: openObject({ url: text, detail: v.nullish(text) }, "must be an object with a url"),
  },
  "must be an object",
);

const contentPart = v.lazy((input) => {
  const type = isJsonObject(input) ? input["type"] : undefined;
  return type === "text" ? textPart : type === "image_url" ? imagePart : object;
});
const contentParts = v.array(contentPart);
const contentText = v.string("must be a string, an array of parts or null");

const message = openObject(
  {
    role: v.picklist(
      ["system", "developer", "user", "assistant", "tool"],
      'must be one of "system", "developer", "user", "assistant", "tool"',
    ),
    content: v.nullish(v.lazy((input) => (Array.isArray(input) ? contentParts : contentText))),
    name: v.nullish(text),
    tool_call_id: v.nullish(text),
    tool_calls: v.nullish(v.array(toolCall, "must be an array")),
  },
  "must be an object",
);

const tool = openObject(
  {
    type: v.literal("function", 'must be "function"'),
    function: openObject({ name: text, description: v.nullish(text), parameters: object }, "must be an object"),
  },
  "must be an object",
);

const jsonObjectFormat = openObject({ type: v.literal("json_object") }, "must be an object");
const jsonSchemaFormat = openObject(
  {
    type: v.literal("json_schema", 'must be "json_object" or "json_schema"'),
    json_schema: openObject(
      {
        name: text,
        strict: v.nullish(v.boolean("must be true or false")),
        schema: object,
      },
      "must be an object",
    ),
  },
  "must be an object",
);

const responseFormat = v.lazy((input) =>
  isJsonObject(input) && input["type"] === "json_object" ? jsonObjectFormat : jsonSchemaFormat,
);

const streamOptions = openObject({ include_usage: v.nullish(v.boolean("must be true or false")) }, "must be an object");

/**
 * The body of POST /chat/completions. Members that are not listed are forwarded to the provider unchanged.
 * A listed optional member that is null counts as absent.
 * Follows https://platform.openai.com/docs/api-reference/chat/create
 */
const entries = {
  model: text,
  messages: v.pipe(v.array(message, "must be an array"), v.minLength(1, "must have at least one message")),
  stream: v.nullish(v.boolean("must be true or false")),
  stream_options: v.nullish(streamOptions),
  temperature: v.nullish(v.number("must be a number")),
  n: v.nullish(
    v.pipe(
      v.number("must be a number"),
      v.integer("must be a whole number"),
      v.minValue(1, "must be at least 1"),
      v.maxValue(16, "must be at most 16"),
    ),
  ),
  max_tokens: v.nullish(positiveInteger),
  max_completion_tokens: v.nullish(positiveInteger),
  tools: v.nullish(v.array(tool, "must be an array")),
  tool_choice: v.nullish(v.lazy((input) => (typeof input === "string" ? text : choiceObject))),
  reasoning_effort: v.nullish(text),
  response_format: v.nullish(responseFormat),
};
const chatCompletionRequest = openObject(entries, "must be a JSON object");

const { messages: _, tools: __, ...settingEntries } = entries;
const settings = openObject(settingEntries, "must be a JSON object");

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

/** The first problem of a request, with the dot path of the invalid member. */
export interface RequestProblem {
  readonly param: string | undefined;
  readonly message: string;
}

/** True for the default format, which counts as absent. */
export const isTextFormat = (format: unknown): boolean => isJsonObject(format) && format["type"] === "text";

/** Validates a request body. Returns the request, or the first problem. */
export function readChatCompletionRequest(
  value: unknown,
): { readonly request: ChatCompletionRequest } | { readonly problem: RequestProblem } {
  if (!isJsonObject(value)) return { problem: { param: undefined, message: "must be a JSON object" } };
  const result = v.safeParse(chatCompletionRequest, withoutTextFormat(value), { abortEarly: true });
  return result.success ? { request: result.output } : { problem: toProblem(result.issues[0]) };
}

/** Validates a request whose messages and tools have already been checked. */
export function readChatParameters(
  value: JsonObject,
): { readonly parameters: ChatParameters } | { readonly problem: RequestProblem } {
  const result = v.safeParse(settings, withoutTextFormat(value), { abortEarly: true });
  return result.success ? { parameters: result.output } : { problem: toProblem(result.issues[0]) };
}

/** Removes the default format, which counts as absent. */
const withoutTextFormat = (value: JsonObject): JsonObject =>
  isTextFormat(value["response_format"]) ? { ...value, response_format: null } : value;

/** Returns an issue of a schema as the problem of a request. */
export function toProblem(issue: v.BaseIssue<unknown>): RequestProblem {
  return {
    param: issue.path?.map(({ key }) => String(key)).join("."),
    message: issue.received === "undefined" ? "is required" : issue.message,
  };
}
