import type { KnownMembers } from "../../../upstream/answer-guard.ts";

/**
 * The events of a stream of the Responses API, without `error`.
 * Follows https://platform.openai.com/docs/api-reference/responses-streaming
 */
export const eventTypes: ReadonlySet<string> = new Set(
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
  ].flatMap(([group, names = ""]) => names.split(" ").map((name) => `response.${group}${name}`)),
);

/** Members whose value has names of the client or of the model. */
const opaque = [
  "annotation",
  "annotations",
  "attributes",
  "input_schema",
  "metadata",
  "parameters",
  "schema",
  "variables",
];

/**
 * The members of responses, their items, their tools and their events.
 * Follows https://platform.openai.com/docs/api-reference/responses/object
 */
export const responseMembers: KnownMembers = {
  known: new Set([
    ...opaque,
    ..."action actions agent allowed_domains allowed_tools approval_request_id approve arguments background".split(" "),
    ..."bytes cache_write_tokens cached_tokens call_id city code command command_index commands".split(" "),
    ..."completed_at conversation container container_id content content_index country created_at".split(" "),
    ..."definition delta description detail diff domain encrypted_content end_index environment error exit_code".split(
      " ",
    ),
    ..."file_data file_id file_ids file_url filename filters format frequency_penalty id image_url".split(" "),
    ..."incomplete_details index input input_tokens input_tokens_details instructions item item_id keys".split(" "),
    ..."logprob logprobs logs max_num_results max_output_length max_output_tokens max_tool_calls message mode".split(
      " ",
    ),
    ..."moderation name namespace object obfuscation operation outcome output output_format output_index".split(" "),
    ..."output_tokens output_tokens_details outputs parallel_tool_calls part partial_image_b64".split(" "),
    ..."partial_image_index path pattern pending_safety_checks phase presence_penalty previous_response_id prompt".split(
      " ",
    ),
    ..."prompt_cache_key prompt_cache_retention quality queries query ranking_options reason reasoning".split(" "),
    ..."reasoning_tokens refusal region require_approval response result results role safety_identifier".split(" "),
    ..."score search_context_size sequence_number server_label service_tier size source sources".split(" "),
    ..."start_index status stderr stdout store strict summary summary_index syntax temperature text".split(" "),
    ..."timezone title token tool_choice tools top_logprobs top_p total_tokens transcript truncation type url".split(
      " ",
    ),
    ..."usage user user_location value vector_store_ids verbosity x y".split(" "),
  ]),
  opaque: new Set(opaque),
};
