import type { Amount, Json } from "./common.ts";
import type { SpendLimit, SpendState } from "./spend.ts";

/** Whether a key can be used. */
export type KeyState = "active" | "expired" | "revoked";

/** The most in a window of seconds. */
export interface WindowLimit {
  readonly limit: number;
  readonly window_seconds: number;
}

/** What the requests of a key may use. Null: no limit of its own. */
export interface Limits {
  readonly requests: WindowLimit | null;
  readonly tokens: WindowLimit | null;
  readonly concurrency: number | null;
}

/** An API key of an account, without its secret. */
export interface Key {
  readonly id: string;
  readonly account: string;
  readonly plan: string;
  readonly name: string | null;
  readonly last_four: string;
  /** Null: every model of the plan. */
  readonly models: readonly string[] | null;
  readonly features: Json;
  /** Null: every one of the plan. */
  readonly dialects: readonly string[] | null;
  readonly limits: Limits | null;
  readonly spend: SpendLimit | null;
  readonly tags: readonly string[];
  readonly log_content: boolean | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly rotated_from: string | null;
  readonly state: KeyState;
}

/** The answer of GET keys/{id}. */
export interface KeyDetail extends Key {
  readonly spend_state: SpendState | null;
  readonly last_used_at: string | null;
}

/** A key with its secret, which is shown only once. */
export interface CreatedKey {
  readonly key: Key;
  readonly secret: string;
}

/** The body of POST keys. */
export interface NewKey {
  readonly account: string;
  readonly plan: string;
  readonly name?: string;
  readonly models?: readonly string[];
  readonly spend?: { readonly limit: Amount; readonly window: string; readonly timezone?: string };
  readonly tags?: readonly string[];
  readonly expires_at?: string;
}

/** A plan that the host configures. */
export interface Plan {
  readonly id: string;
  readonly billing: string;
  readonly models: readonly string[] | null;
  readonly features: Json;
  /** Null: every one. */
  readonly dialects: readonly string[] | null;
  readonly limits: Limits | null;
  readonly spend: SpendLimit | null;
}
