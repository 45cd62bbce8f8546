import { arrayOf, Level, objectOf } from "../../../wire/forwarding/level.ts";
import { nested } from "../../../wire/inspected-names.ts";

/** Names that are refused in each object of a request, because they change the cost or the target of a call. */
const refused: readonly string[] = [...nested, "cache_control"];

/** The dialect decides about these itself, since they have a meaning in the Responses API. */
const ownNames: ReadonlySet<string> = new Set(["background", "store"]);

/** Members of a chat completion that some upstreams would follow, and members that start further work upstream. */
const foreign: readonly string[] = [
  "n",
  "max_tokens",
  "max_completion_tokens",
  "messages",
  "functions",
  "context_management",
];

const content = new Level({
  checked: [
    "type",
    "text",
    "image_url",
    "detail",
    "file_id",
    "file_data",
    "file_url",
    "filename",
    "refusal",
    "input_audio",
  ],
  refused,
});

// A tool may be a namespace, which contains tools.
const tool = new Level(
  {
    checked: ["type", "name", "description", "parameters", "strict", "format", "tools"],
    // An image may have a background.
    refused: refused.filter((name) => !ownNames.has(name)),
  },
  (self) => ({ tools: arrayOf(self) }),
);

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
    refused: [...refused.filter((name) => !ownNames.has(name)), ...foreign],
  },
  () => ({
    input: arrayOf(item),
    tools: arrayOf(tool),
    tool_choice: objectOf(new Level({ checked: ["type", "name", "mode", "tools"], refused })),
    text: objectOf(new Level({ checked: ["format", "verbosity"], refused }, () => ({ format: objectOf(format) }))),
    reasoning: objectOf(new Level({ checked: ["effort", "summary", "generate_summary", "mode"], refused })),
  }),
);
