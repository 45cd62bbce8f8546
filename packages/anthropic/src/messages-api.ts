import type { JsonObject } from "@tollgate/core/provider";

/** Marks the end of a prefix of the prompt that the API is to keep, for five minutes when it does not say how long. */
export interface CacheMark {
  readonly cache_control?: { readonly type: "ephemeral"; readonly ttl?: "1h" };
}

/** A piece of text. */
export interface TextBlock extends CacheMark {
  readonly type: "text";
  readonly text: string;
}

/** An image, in place or by URL. */
export interface ImageBlock extends CacheMark {
  readonly type: "image";
  readonly source:
    | { readonly type: "url"; readonly url: string }
    | { readonly type: "base64"; readonly media_type: string; readonly data: string };
}

/** A call that the model made. */
export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** What a call gave. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
}

/** A block of a message that is sent. */
export type ContentBlock = TextBlock | ImageBlock | ToolUseBlock | ToolResultBlock;

/** A turn of the conversation. The API knows two roles. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly ContentBlock[];
}

/** A tool of the client. */
export interface ClientTool extends CacheMark {
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

/** How hard the model tries. */
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/** Whether the model thinks before it answers, and whether it shows that. */
export type Thinking =
  | { readonly type: "adaptive"; readonly display: "summarized" }
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "disabled" };

/**
 * The body of POST /v1/messages, as far as this provider uses it.
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

/** What the output is to be like. */
export interface OutputConfig {
  readonly effort?: Effort | undefined;
  readonly format?: { readonly type: "json_schema"; readonly schema: JsonObject } | undefined;
}
