import type { KnownMembers } from "../upstream/answer-guard.ts";

const wordsOf = (text: string): readonly string[] => text.match(/\S+/g) ?? [];

/** The value of an `opaque` member has names of the client or of the model. */
const membersOf = (opaque: string, others: string): KnownMembers => ({
  known: new Set(wordsOf(`${opaque} ${others}`)),
  opaque: new Set(wordsOf(opaque)),
});

/**
 * The members of messages, their blocks and their events.
 * Follows https://platform.claude.com/docs/en/api/beta/messages/create
 */
export const messageMembers = membersOf(
  "citation citations input properties schema",
  `
    applied_edits cache_creation cache_creation_input_tokens cache_read_input_tokens caller container content
    content_block context_management data delta encrypted_content encrypted_index encrypted_stdout
    ephemeral_1h_input_tokens ephemeral_5m_input_tokens error_code expires_at explanation file_id id index
    input_tokens is_error iterations message name output_tokens output_tokens_details page_age partial_json
    return_code role server_name server_tool_use service_tier signature skills source status stderr stdout
    stop_details stop_reason stop_sequence text thinking thinking_tokens title tool_name tool_references
    tool_use_id type url usage web_fetch_requests web_search_requests
  `,
);

/**
 * The events of a stream of the Messages API, without `error`.
 * Follows https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export const messageEvents: ReadonlySet<string> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
]);

/**
 * The members of responses, their items, their tools and their events.
 * Follows https://platform.openai.com/docs/api-reference/responses/object
 */
export const responseMembers = membersOf(
  "annotation annotations attributes input_schema metadata parameters schema variables",
  `
    action actions agent allowed_domains allowed_tools approval_request_id approve arguments background bytes
    cache_write_tokens cached_tokens call_id city code command command_index commands completed_at conversation
    container container_id content content_index country created_at definition delta description detail diff
    domain encrypted_content end_index environment error exit_code file_data file_id file_ids file_url filename
    filters format frequency_penalty id image_url incomplete_details index input input_tokens
    input_tokens_details instructions item item_id keys logprob logprobs logs max_num_results max_output_length
    max_output_tokens max_tool_calls message mode moderation name namespace object obfuscation operation outcome
    output output_format output_index output_tokens output_tokens_details outputs parallel_tool_calls part
    partial_image_b64 partial_image_index path pattern pending_safety_checks phase presence_penalty
    previous_response_id prompt prompt_cache_key prompt_cache_retention quality queries query ranking_options
    reason reasoning reasoning_tokens refusal region require_approval response result results role
    safety_identifier score search_context_size sequence_number server_label service_tier size source sources
    start_index status stderr stdout store strict summary summary_index syntax temperature text timezone title
    token tool_choice tools top_logprobs top_p total_tokens transcript truncation type url usage user
    user_location value vector_store_ids verbosity x y
  `,
);

/**
 * The events of a stream of the Responses API, without `error`.
 * Follows https://platform.openai.com/docs/api-reference/responses-streaming
 */
export const responseEvents: ReadonlySet<string> = new Set(
  [
    ["", "created queued in_progress completed incomplete failed cancelled"],
    ["output_item.", "added done"],
    ["content_part.", "added done"],
    ["output_text.", "delta done annotation.added"],
    ["refusal.", "delta done"],
    ["reasoning_text.", "delta done"],
    ["reasoning_summary_part.", "added done"],
    ["reasoning_summary_text.", "delta done"],
    ["function_call_arguments.", "delta done"],
    ["custom_tool_call_input.", "delta done"],
    ["audio.", "delta done transcript.delta transcript.done"],
    ["file_search_call.", "in_progress searching completed"],
    ["web_search_call.", "in_progress searching completed"],
    ["image_generation_call.", "in_progress generating partial_image completed"],
    ["code_interpreter_call.", "in_progress interpreting completed"],
    ["code_interpreter_call_code.", "delta done"],
    ["mcp_call_arguments.", "delta done"],
    ["mcp_call.", "in_progress completed failed"],
    ["mcp_list_tools.", "in_progress completed failed"],
    ["apply_patch_call_operation_diff.", "delta done"],
    ["shell_call_command.", "added delta done"],
    ["shell_call_output_content.", "delta done"],
  ].flatMap(([group, names = ""]) => wordsOf(names).map((name) => `response.${group}${name}`)),
);

/** The members of an answer of embeddings. https://platform.openai.com/docs/api-reference/embeddings/object */
export const embeddingMembers = membersOf("", "data id created object prompt_tokens total_tokens type usage");
