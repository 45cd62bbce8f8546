import type { KnownMembers } from "../../../upstream/answer-guard.ts";

/**
 * The events of a stream of the Messages API, without `error`.
 * Follows https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export const eventTypes: ReadonlySet<string> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
]);

/** Members whose value has names of the client or of the model. */
const opaque = ["citation", "citations", "input", "properties", "schema"];

/**
 * The members of messages, their blocks and their events.
 * Follows https://platform.claude.com/docs/en/api/beta/messages/create
 */
export const messageMembers: KnownMembers = {
  known: new Set([
    ...opaque,
    "applied_edits",
    "cache_creation",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "caller",
    "container",
    "content",
    "content_block",
    "context_management",
    "data",
    "delta",
    "encrypted_content",
    "encrypted_index",
    "encrypted_stdout",
    "ephemeral_1h_input_tokens",
    "ephemeral_5m_input_tokens",
    "error_code",
    "expires_at",
    "explanation",
    "file_id",
    "id",
    "index",
    "input_tokens",
    "is_error",
    "iterations",
    "message",
    "name",
    "output_tokens",
    "output_tokens_details",
    "page_age",
    "partial_json",
    "return_code",
    "role",
    "server_name",
    "server_tool_use",
    "service_tier",
    "signature",
    "skills",
    "source",
    "status",
    "stderr",
    "stdout",
    "stop_details",
    "stop_reason",
    "stop_sequence",
    "text",
    "thinking",
    "thinking_tokens",
    "title",
    "tool_name",
    "tool_references",
    "tool_use_id",
    "type",
    "url",
    "usage",
    "web_fetch_requests",
    "web_search_requests",
  ]),
  opaque: new Set(opaque),
};
