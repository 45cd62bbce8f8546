import type { JsonObject } from "@tollgate/core/provider";

/** Marks the end of a prompt prefix that the API caches, for five minutes unless `ttl` is "1h". */
export interface CacheControl {
  readonly cache_control?: { readonly type: "ephemeral"; readonly ttl?: "1h" };
}

/** A text. */
export interface TextBlock extends CacheControl {
  readonly type: "text";
  readonly text: string;
}

/** An image, inline or by URL. */
export interface ImageBlock extends CacheControl {
  readonly type: "image";
  readonly source:
    | { readonly type: "url"; readonly url: string }
    | { readonly type: "base64"; readonly media_type: string; readonly data: string };
}

/** A file that the model reads. */
export interface DocumentBlock extends CacheControl {
  readonly type: "document";
  readonly source:
    | { readonly type: "text"; readonly media_type: "text/plain"; readonly data: string }
    | { readonly type: "base64"; readonly media_type: "application/pdf"; readonly data: string };
  readonly title?: string;
}

/** A block that a message of the user and the result of a call may have. */
export type InputBlock = TextBlock | ImageBlock | DocumentBlock;

/** A call that the model made. */
export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** The result of a call. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: readonly InputBlock[];
}

/** A content block of a message in a request. */
export type ContentBlock = InputBlock | ToolUseBlock | ToolResultBlock;

/** A turn of the conversation. The API has two roles. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly ContentBlock[];
}

/** A tool that the client executes. */
export interface ClientTool extends CacheControl {
  readonly name: string;
  readonly description?: string | undefined;
  readonly input_schema: JsonObject;
  readonly strict?: true;
}

/** Which tools the model may or must use. */
export type ToolChoice =
  | { readonly type: "none" }
  | { readonly type: "auto" | "any"; readonly disable_parallel_tool_use?: true }
  | { readonly type: "tool"; readonly name: string; readonly disable_parallel_tool_use?: true };

/** How many tokens the model spends on an answer. */
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/** Whether the model thinks before it answers, and whether it returns a summary of its thinking. */
export type Thinking =
  | { readonly type: "adaptive"; readonly display: "summarized" }
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "disabled" | "between_tools" };

/**
 * The fields of the body of POST /v1/messages that this provider uses.
 * Follows https://platform.claude.com/docs/en/api/messages/create
 */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly Turn[];
  readonly stream?: true | undefined;
  readonly system?: readonly TextBlock[] | undefined;
  readonly tools?: readonly ClientTool[] | undefined;
  readonly tool_choice?: ToolChoice | undefined;
  readonly stop_sequences?: readonly string[] | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
  readonly metadata?: { readonly user_id: string } | undefined;
  readonly thinking?: Thinking | undefined;
  readonly output_config?: OutputConfig | undefined;
}

/** Settings of the output. */
export interface OutputConfig {
  readonly effort?: Effort | undefined;
  readonly format?: { readonly type: "json_schema"; readonly schema: JsonObject } | undefined;
}
