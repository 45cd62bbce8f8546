import type { Json } from "./common.ts";

/** The webhook of a trigger as it is configured. Secrets are shown as their names. */
export interface Webhook {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[] | null;
  readonly body: Json;
  readonly response_directive: string | null;
}

/** A trigger of an assistant. */
export interface Trigger {
  readonly name: string;
  readonly description: string | null;
  readonly parameters: Json;
  readonly interpret_response: boolean;
  readonly webhook: Webhook;
}

/** An assistant that the host configures. */
export interface Assistant {
  readonly id: string;
  readonly name?: string | null;
  readonly model: string;
  readonly instructions?: string | null;
  readonly triggers: readonly Trigger[];
}

/** A variable that a webhook used. A secret has no value. */
export interface Variable {
  readonly name: string;
  readonly source: string;
  readonly value?: Json;
}

/** The answer of POST assistants/{id}/dry-run. */
export interface DryRun {
  readonly outcome: "rendered" | "refused";
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly { readonly key: string; readonly value: string }[];
    readonly body: string | null;
  };
  readonly target?: { readonly allowed: boolean; readonly reason: string | null };
  readonly error?: { readonly code: string; readonly message: string };
  readonly variables: readonly Variable[];
}

/** A session of an account with an assistant. */
export interface Conversation {
  readonly id: string;
  readonly account: string;
  readonly assistant_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The answer of GET conversations/{id}. */
export interface ConversationDetail extends Conversation {
  /** Absent for viewers. */
  readonly client_data?: Json;
  readonly turns: number;
  readonly expires_at: string | null;
}

/** A call of a tool by the model. */
export interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as it is stored. */
export interface StoredMessage {
  readonly sequence: number;
  readonly at: string;
  readonly message: {
    readonly role: string;
    readonly content?: Json;
    readonly tool_calls?: readonly ToolCall[];
    readonly tool_call_id?: string;
  };
}

/** The log of one webhook call. Times are in milliseconds. */
export interface WebhookLog {
  readonly id: string;
  readonly trigger: string;
  readonly tool_call_id: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly attempts: readonly {
    readonly duration_ms: number;
    readonly status: number | null;
    readonly failure: string | null;
  }[];
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly header_names: readonly string[];
    readonly body: string | null;
  } | null;
  readonly response: {
    readonly status: number;
    readonly content_type: string | null;
    readonly bytes: number;
    readonly body: string;
    readonly truncated: boolean;
  } | null;
  readonly variables: readonly Variable[];
  readonly outcome: string;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly merged_keys: readonly string[];
  readonly warnings: readonly string[];
}

/** A log with its position in the session. */
export interface StoredLog {
  readonly sequence: number;
  readonly log: WebhookLog;
}
