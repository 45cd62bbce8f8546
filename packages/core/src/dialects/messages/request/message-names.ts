import { anyObject, anyText, type Expected, kind, optionalText } from "../../../wire/forwarding/expected-values.ts";
import { arrayOf, Level, objectOf } from "../../../wire/forwarding/level.ts";
import { moving } from "../../../wire/inspected-names.ts";

const blockNames = {
  checked: [
    "type",
    "text",
    "source",
    "content",
    "cache_control",
    "id",
    "tool_use_id",
    "name",
    "input",
    "is_error",
    "thinking",
    "signature",
  ],
  refused: moving,
  nests: true,
  media: [],
};

const content = { kinds: kind.text | kind.emptyText | kind.array } satisfies Expected;

// The result of a tool and a document contain blocks.
const insideBlock = (block: Level) => ({
  content: arrayOf(block),
  source: objectOf(
    new Level({ checked: ["type", "media_type", "data", "url", "content"], refused: moving, nests: true }, () => ({
      content: arrayOf(block),
    })),
  ),
});

// Blocks of other types are left to the parser.
const block = new Level(
  {
    ...blockNames,
    expected: {
      type: { texts: ["text", "tool_use", "tool_result", "thinking", "redacted_thinking"] },
      text: anyText,
      content: { kinds: content.kinds | kind.nothing },
      id: anyText,
      tool_use_id: anyText,
      name: anyText,
      input: anyObject,
      is_error: { kinds: kind.flag | kind.nothing },
      thinking: anyText,
      signature: { kinds: kind.text },
    },
    shapes: [
      { required: ["type", "text"], excluded: ["source", "content"] },
      { required: ["type", "id", "name", "input"], excluded: ["source", "content"] },
      { required: ["type", "tool_use_id"], excluded: ["source"] },
      // Thoughts without a signature are left out of the request.
      { required: ["type", "thinking", "signature"], excluded: ["source", "content"] },
      { required: ["type"], excluded: ["source", "content"] },
    ],
  },
  insideBlock,
);

const systemBlock = new Level(
  {
    ...blockNames,
    expected: { type: { texts: ["text"] }, text: anyText },
    shapes: [{ required: ["type", "text"], excluded: ["source", "content"] }],
  },
  () => insideBlock(block),
);

const message = new Level(
  {
    checked: ["role", "content"],
    refused: moving,
    nests: true,
    media: [],
    expected: { role: { texts: ["user", "assistant", "system"] }, content },
    shapes: [{ required: ["role", "content"] }],
    counts: "message",
  },
  () => ({ content: arrayOf(block) }),
);

// Tools that Anthropic defines are left to the parser.
const tool = new Level({
  checked: ["type", "name", "description", "input_schema", "cache_control", "strict"],
  refused: moving,
  expected: { type: { texts: ["custom"] }, name: anyText, description: optionalText, input_schema: anyObject },
  shapes: [{ required: ["name", "input_schema"] }],
  counts: "tool",
});

/**
 * The names that the scan of a Messages request inspects.
 * Follows https://platform.claude.com/docs/en/api/messages/create
 */
export const messagesLevel = new Level(
  {
    checked: [
      "model",
      "messages",
      "max_tokens",
      "system",
      "stream",
      "temperature",
      "top_p",
      "top_k",
      "stop_sequences",
      "tools",
      "tool_choice",
      "thinking",
      "output_config",
      "output_format",
      "metadata",
      "cache_control",
      "context_management",
      "compaction",
    ],
    refused: moving,
    expected: { messages: { kinds: kind.array }, tools: { kinds: kind.array }, system: content },
    shapes: [{ required: ["messages"] }],
  },
  () => ({
    messages: arrayOf(message),
    system: arrayOf(systemBlock),
    tools: arrayOf(tool),
    tool_choice: objectOf(new Level({ checked: ["type", "name", "disable_parallel_tool_use"], refused: moving })),
    thinking: objectOf(new Level({ checked: ["type", "budget_tokens", "display"], refused: moving })),
    output_config: objectOf(new Level({ checked: ["effort", "format"], refused: moving })),
    metadata: objectOf(new Level({ checked: ["user_id"], refused: [] })),
  }),
);
