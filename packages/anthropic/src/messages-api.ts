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

/** An image, inline or by URL, or a file that the model reads. */
export type MediaBlock = CacheControl &
  (
    | {
        readonly type: "image";
        readonly source:
          | { readonly type: "url"; readonly url: string }
          | { readonly type: "base64"; readonly media_type: string; readonly data: string };
      }
    | {
        readonly type: "document";
        readonly source:
          | { readonly type: "text"; readonly media_type: "text/plain"; readonly data: string }
          | { readonly type: "base64"; readonly media_type: "application/pdf"; readonly data: string };
        readonly title?: string;
      }
  );

/** A turn of the conversation, with texts and media, calls that the model made, and their results. The API has two roles. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly (
    | TextBlock
    | MediaBlock
    | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: JsonObject }
    | {
        readonly type: "tool_result";
        readonly tool_use_id: string;
        readonly content: readonly (TextBlock | MediaBlock)[];
      }
  )[];
}

/** Which tools the model may or must use. */
export type ToolChoice =
  | { readonly type: "none" }
  | { readonly type: "auto" | "any"; readonly disable_parallel_tool_use?: true }
  | { readonly type: "tool"; readonly name: string; readonly disable_parallel_tool_use?: true };

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
  /** The tools that the client executes. */
  readonly tools?:
    | readonly (CacheControl & {
        readonly name: string;
        readonly description?: string | undefined;
        readonly input_schema: JsonObject;
        readonly strict?: true;
      })[]
    | undefined;
  readonly tool_choice?: ToolChoice | undefined;
  readonly stop_sequences?: readonly string[] | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
  readonly metadata?: { readonly user_id: string } | undefined;
  /** Whether the model thinks before it answers, and whether it returns a summary of its thinking. */
  readonly thinking?:
    | { readonly type: "adaptive"; readonly display: "summarized" }
    | { readonly type: "enabled"; readonly budget_tokens: number }
    | { readonly type: "disabled" | "between_tools" }
    | undefined;
  readonly output_config?:
    | {
        /** How many tokens the model spends on an answer. */
        readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
        readonly format?: { readonly type: "json_schema"; readonly schema: JsonObject } | undefined;
      }
    | undefined;
}

/** The settings of the output. */
export type OutputConfig = NonNullable<MessagesRequest["output_config"]>;
