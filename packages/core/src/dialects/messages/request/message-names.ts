import { arrayOf, Level, objectOf } from "../../../wire/forwarding/level.ts";
import { nested } from "../../../wire/inspected-names.ts";

/** Members of a request that change its cost, its place, or whose data it reads, in addition to those of any dialect. */
const steering = [
  "billing_policy",
  "container",
  "fallback_credit_token",
  "inference_geo",
  "mcp_servers",
  "speed",
  "thread",
  "user_profile_id",
  "workspace_id",
];

/** The files of a provider's account belong to the host. */
const files = ["file_id"];

// The result of a tool and a document contain blocks.
const block = new Level(
  {
    checked: ["type", "text", "source", "content", "cache_control", "id", "tool_use_id", "name", "input", "is_error"],
    refused: [...nested, ...files],
  },
  (self) => ({
    content: arrayOf(self),
    source: objectOf(
      new Level({ checked: ["type", "media_type", "data", "url", "content"], refused: [...nested, ...files] }, () => ({
        content: arrayOf(self),
      })),
    ),
  }),
);

const message = new Level({ checked: ["role", "content"], refused: nested }, () => ({ content: arrayOf(block) }));

const tool = new Level({
  checked: ["type", "name", "description", "input_schema", "cache_control", "strict"],
  refused: nested,
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
    refused: [...nested, ...steering],
  },
  () => ({
    messages: arrayOf(message),
    system: arrayOf(block),
    tools: arrayOf(tool),
    tool_choice: objectOf(new Level({ checked: ["type", "name", "disable_parallel_tool_use"], refused: nested })),
    thinking: objectOf(new Level({ checked: ["type", "budget_tokens", "display"], refused: nested })),
    output_config: objectOf(new Level({ checked: ["effort", "format"], refused: nested })),
    metadata: objectOf(new Level({ checked: ["user_id"], refused: [] })),
  }),
);
