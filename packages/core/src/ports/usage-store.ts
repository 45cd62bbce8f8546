import type { Awaitable } from "../runtime/awaitable.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { TokenCounts } from "./receipt.ts";

/** A step of a request, for its timeline. `at` is in milliseconds from the start of the request. */
export interface TimelineStep {
  /** "admitted", "held", "attempt", "attempt.failed", "first_content", "answered", "settled", "webhook". */
  readonly step: string;
  readonly at: number;
  /** The target of an attempt, the failure, or the trigger of a webhook. */
  readonly detail?: string;
  /** The HTTP status of the upstream, for an attempt that failed. */
  readonly status?: number;
  /** The message of the upstream's error without hosts, ids and keys, for an attempt that failed. */
  readonly message?: string;
}

/** The attempts at one target. */
export interface TargetAttempts {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly attempts: number;
  /** The number of failed attempts by class: a `ProviderFailure`, or "ended" if the request ended first. */
  readonly failed: Readonly<Record<string, number>>;
}

/** One finished request. It contains no prompt and no answer. Amounts are in nano-units. */
export interface UsageRow {
  /** The UUID of the request. Unique together with `at`. */
  readonly id: string;
  /** The start of the request. */
  readonly at: Date;
  /** The `x-request-id` of the response, which a client may have chosen. */
  readonly requestId: string;
  readonly account: string;
  readonly keyId: string;
  readonly plan: string;
  /** The name of the endpoint, such as "chat.completions". */
  readonly endpoint: string;
  readonly dialect: Dialect;
  /** The public model id. Absent when the request was refused before a model was selected. */
  readonly model?: string;
  /** The provider that responded, or the last one that was tried, with its name of the model. Absent when none was called. */
  readonly target?: { readonly provider: string; readonly upstreamModel: string };
  /** The HTTP status of the response. */
  readonly status: number;
  /** The code of the error response. */
  readonly errorCode?: string;
  /** See `Ending` of the observer. */
  readonly ending: string;
  readonly tokens: TokenCounts;
  /** True when the tokens are an estimate. */
  readonly estimated: boolean;
  readonly cost: bigint;
  /** What the host pays, if the target has a `cost` price list. */
  readonly upstreamCost?: bigint;
  readonly holdId?: string;
  readonly firstContentMs?: number;
  readonly durationMs: number;
  readonly attempts: number;
  /** Present if an attempt failed, or several targets were called. Absent: all attempts were at `target`, and none failed. */
  readonly attemptsByTarget?: readonly TargetAttempts[];
  /** The id of the answer, such as "chatcmpl-…", as the client has it. The last one of a turn. */
  readonly answerId?: string;
  /** The session of an assistant. */
  readonly sessionId?: string;
  /** `safety_identifier` or `user` of the request. */
  readonly endUser?: string;
  /** The tags of the key. */
  readonly tags: readonly string[];
  /** At most 2 KiB as JSON. */
  readonly timeline: readonly TimelineStep[];
}

/**
 * The dimensions by which usage can be grouped. `target` is `provider/upstreamModel`. With `tag`, a row with several tags counts
 * in the group of each.
 */
export type UsageDimension = "model" | "account" | "key" | "target" | "dialect" | "status" | "end_user" | "tag";

/** Selects rows that match all present members. */
export interface UsageFilter {
  readonly model?: string;
  readonly account?: string;
  readonly key?: string;
  /** `provider/upstreamModel`. */
  readonly target?: string;
  readonly dialect?: Dialect;
  readonly status?: number;
  readonly session?: string;
  readonly endUser?: string;
  readonly tag?: string;
  readonly requestId?: string;
  readonly answerId?: string;
  /** The id of the row. */
  readonly id?: string;
  /** True: requests that failed, with a status of 500 or more or a stream that its upstream broke off. */
  readonly failed?: boolean;
  /** True: requests that were refused, with a status of 400 to 499. With `failed`, requests of both kinds. */
  readonly refused?: boolean;
}

/** A question for a summary. Buckets begin at UTC borders; `from` is included, `to` is not. */
export interface UsageQuery {
  readonly from: Date;
  readonly to: Date;
  /** "all": one bucket from `from` to `to`. */
  readonly bucket: "hour" | "day" | "month" | "all";
  /** Absent: one group of everything. */
  readonly groupBy?: UsageDimension;
  readonly filter?: UsageFilter;
  /** The number of groups with the highest cost to return; the others are summed in one without a name. Default: 20. */
  readonly top?: number;
}

/** The upper bounds of the latency histogram, in milliseconds. A last bucket counts what took longer. */
export const latencyBounds: readonly number[] = [
  10, 20, 50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 30_000, 60_000,
  120_000, 300_000,
];

/** The sums of one group in one bucket. Amounts are in nano-units. */
export interface UsageTotals {
  readonly requests: number;
  /** Requests with a status of 500 or more, and streams that their upstream broke off. */
  readonly failed: number;
  /** Requests with a status of 400 to 499. */
  readonly refused: number;
  readonly tokens: TokenCounts;
  readonly cost: bigint;
  /** The upstream cost of the requests that have one. */
  readonly upstreamCost: bigint;
  /** The cost of the requests that have an upstream cost, so that the margin is `costWithUpstream - upstreamCost`. */
  readonly costWithUpstream: bigint;
  /** Requests by duration: one count for each of {@link latencyBounds}, and the last for longer ones. */
  readonly durations: readonly number[];
  /** Requests by time to first content, in the same buckets. Requests without streaming are absent. */
  readonly firstContents: readonly number[];
}

/** One row of a summary, in the order of `start` and then of cost, highest first. */
export interface UsageSummaryRow extends UsageTotals {
  /** The start of the bucket. */
  readonly start: Date;
  /** The value of the dimension. Absent without `groupBy`, for the sum of the other groups, and for requests without a value. */
  readonly group?: string;
  /** True for the sum of the groups beyond `top`. */
  readonly others: boolean;
}

/** The position of a row. The cursor of {@link UsageStore.list}. */
export type UsagePosition = Pick<UsageRow, "at" | "id">;

/** One page of rows, newest first; `next` is absent on the last page. */
export interface UsagePage {
  readonly rows: readonly UsageRow[];
  readonly next?: UsagePosition;
}

/** What one call of {@link UsageStore.forget} did; `next` is absent after the last batch. */
export interface ForgottenUsage {
  /** The number of rows that it changed. */
  readonly changed: number;
  readonly next?: UsagePosition;
}

/**
 * Port: the usage of finished requests. Methods throw for an outage; the gateway then keeps the rows and tries again, and
 * no request waits for it.
 */
export interface UsageStore {
  /**
   * Adds rows, and each row together with its totals in one atomic step. All are durable when it returns. Rows that exist
   * are skipped and not counted again, so a batch of which only a part was added can be repeated. Returns the number of
   * new rows.
   */
  record(rows: readonly UsageRow[]): Awaitable<number>;
  /**
   * Returns sums by bucket and group. Totals exist for model, target, account and key, and for the models, keys, dialects and
   * tags of each account: those per day and month are kept when rows are pruned, those per hour of account and key are not.
   * Other groupings and filters read the rows that are left. A store that works in the gateway's process reads many rows in
   * steps, with other work of the process between them.
   */
  summary(query: UsageQuery): Awaitable<readonly UsageSummaryRow[]>;
  /**
   * Returns the attempts at each target in a period, which is extended to whole hours, in the order of their names. These
   * counts are kept when rows are pruned.
   */
  attempts(query: { readonly from: Date; readonly to: Date }): Awaitable<readonly TargetAttempts[]>;
  /** Returns rows of a time range, newest first by `at` and then by `id`, before a position whose row need not exist. */
  list(query: {
    readonly from?: Date;
    readonly to?: Date;
    readonly filter?: UsageFilter;
    readonly limit: number;
    readonly before?: UsagePosition;
  }): Awaitable<UsagePage>;
  /** Removes rows that are older than a date and returns how many. Totals are kept. A large number may take several calls. */
  prune(before: Date): Awaitable<number>;
  /**
   * Erases what rows of an account tell of people: end users, tags and timelines. Its requests then count as those without a tag;
   * costs, tokens and times are kept. One call reads a batch of rows, oldest first, after the `next` of the call before. Idempotent.
   */
  forget(query: { readonly account: string; readonly after?: UsagePosition }): Awaitable<ForgottenUsage>;
}
