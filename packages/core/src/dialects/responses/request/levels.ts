import { anyText, kind, optionalText } from "../../../wire/forwarding/expected-values.ts";
import { arrayOf, Level, objectOf } from "../../../wire/forwarding/level.ts";
import { moving } from "../../../wire/inspected-names.ts";

/** The types of tools that the scan can check. A namespace contains tools, and other types are rare. */
export const knownTools = ["function", "custom", "web_search"] as const;

/** The types of input items that the scan can check. Those without a type are messages. */
export const knownItems = [
  "message",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "reasoning",
] as const;

const textTypes = ["input_text", "output_text", "text"];
const optionalObject = { kinds: kind.object | kind.nothing };

/** Names that are refused in each object of a request, because they change the cost or the target of a call. */
const refused: readonly string[] = [...moving, "cache_control"];

/** Members of the tools that an upstream runs, which have a price of their own. An image may have a background. */
const ofHostedTools: ReadonlySet<string> = new Set(["background", "container", "vector_store_ids"]);

/** Members of a chat completion that some upstreams would follow, and members that start further work upstream. */
const foreign: readonly string[] = [
  "n",
  "max_tokens",
  "max_completion_tokens",
  "messages",
  "functions",
  "context_management",
];

// Parts of other types are left to the parser.
const content = new Level({
  checked: ["type", "text", "image_url", "detail", "file_data", "file_url", "filename", "refusal", "input_audio"],
  refused,
  nests: true,
  media: [],
  expected: { type: { texts: textTypes }, text: anyText },
  shapes: [{ required: ["type", "text"] }],
});

// A tool may be a namespace, which contains tools.
const tool = new Level(
  {
    checked: ["type", "name", "description", "parameters", "strict", "format", "tools"],
    refused: refused.filter((name) => !ofHostedTools.has(name)),
    expected: {
      type: { texts: knownTools },
      name: anyText,
      description: optionalText,
      parameters: optionalObject,
      strict: { kinds: kind.flag | kind.nothing },
      format: optionalObject,
    },
    shapes: [
      { required: ["type", "name"], excluded: ["tools"] },
      { required: ["type", "name"], excluded: ["tools"] },
      { required: ["type"], excluded: ["tools"] },
    ],
    counts: "tool",
  },
  (self) => ({ tools: arrayOf(self) }),
);

// Items of other types are left to the parser.
const item = new Level(
  {
    checked: [
      "type",
      "id",
      "role",
      "content",
      "call_id",
      "name",
      "namespace",
      "arguments",
      "input",
      "output",
      "summary",
      "encrypted_content",
      "tools",
    ],
    refused,
    nests: true,
    media: ["summary"],
    expected: {
      type: { texts: knownItems },
      role: { texts: ["user", "assistant", "system", "developer"] },
      content: { kinds: kind.text | kind.emptyText | kind.array | kind.nothing },
      call_id: anyText,
      name: anyText,
      arguments: anyText,
      input: anyText,
      output: { kinds: kind.text | kind.emptyText | kind.array },
      encrypted_content: optionalText,
    },
    shapes: [
      { required: ["role", "content"], excluded: ["tools"] },
      { required: ["type", "call_id", "name", "arguments"], excluded: ["tools"] },
      { required: ["type", "call_id", "output"], excluded: ["tools"] },
      { required: ["type", "call_id", "name", "input"], excluded: ["tools"] },
      { required: ["type", "call_id", "output"], excluded: ["tools"] },
      { required: ["type"], excluded: ["tools"] },
    ],
    counts: "message",
  },
  () => ({ content: arrayOf(content), output: arrayOf(content), tools: arrayOf(tool) }),
);

const format = new Level({ checked: ["type", "name", "description", "schema", "strict"], refused });

/**
 * The level of a request of the Responses API.
 * Follows https://platform.openai.com/docs/api-reference/responses/create
 */
export const responsesLevel = new Level(
  {
    checked: [
      "model",
      "input",
      "instructions",
      "stream",
      "tools",
      "tool_choice",
      "parallel_tool_calls",
      "text",
      "reasoning",
      "max_output_tokens",
      "temperature",
      "top_p",
      "truncation",
      "include",
      "store",
      "previous_response_id",
      "conversation",
      "background",
      "prompt",
      "prompt_cache_key",
    ],
    refused: [...refused, ...foreign],
    expected: {
      input: { kinds: kind.array },
      tools: { kinds: kind.array },
      instructions: { kinds: kind.text | kind.emptyText },
    },
    shapes: [{ required: ["input"] }],
  },
  () => ({
    input: arrayOf(item),
    tools: arrayOf(tool),
    tool_choice: objectOf(new Level({ checked: ["type", "name", "mode", "tools"], refused })),
    text: objectOf(new Level({ checked: ["format", "verbosity"], refused }, () => ({ format: objectOf(format) }))),
    reasoning: objectOf(new Level({ checked: ["effort", "summary", "generate_summary", "mode"], refused })),
  }),
);
