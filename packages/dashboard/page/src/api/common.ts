/** What a signed-in person may do; each role includes the ones before. */
export type Role = "viewer" | "operator" | "admin";

/** The person who is signed in, and what the host serves. */
export interface Me {
  readonly actor: string;
  readonly role: Role;
  /** An ISO 4217 code such as "USD", or the host's own unit. Null: the host did not name it. */
  readonly currency: string | null;
  /** The base URL of the router, such as "https://example.com/router/v1". Null: the host did not name it. */
  readonly router_url: string | null;
  readonly sessions_url: string | null;
  /** Where one signs out. Null: the host offers nothing. */
  readonly sign_out_url: string | null;
  /** The dialects that the router serves, such as "chat". */
  readonly served: readonly string[];
  readonly version: string;
}

/** One page of a list; `next` is null on the last page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next: string | null;
}

/** An amount as a decimal string in the host's currency. */
export type Amount = string;

/** Tokens by class. `input` contains the cached and cache-write tokens; `output` contains `reasoning`. */
export interface Tokens {
  readonly input: number;
  readonly cached_input: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly output: number;
  readonly reasoning: number;
}

/** An upstream model. */
export interface Target {
  readonly provider: string;
  readonly upstream_model: string;
}

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
