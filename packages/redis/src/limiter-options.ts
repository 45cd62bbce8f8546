import { requireKnown } from "@tollgate/core/internal";
import { checkedWholeNumber } from "@tollgate/core/store";

/** How limits are kept in Redis, and what happens without it. */
export interface RedisLimiterOptions {
  /** What every key in Redis begins with; "tollgate" when absent. Gateways that share limits share it. */
  readonly prefix?: string;
  /** How many processes share the limits: without Redis each one grants limit / processes, rounded up. 1 when absent. */
  readonly expectedProcesses?: number;
  /** Without Redis: count this process's share in its memory, or refuse every request with 503. "local" when absent. */
  readonly whenDown?: "local" | "refuse";
  /** How long one call to Redis may take, in milliseconds; 250 when absent. A later answer counts as a failure. */
  readonly timeoutMs?: number;
  /** Learns when Redis was lost and when it is back. What it throws is swallowed. */
  readonly observer?: (event: RedisLimiterEvent) => void;
}

/** A change of where limits are counted; `at` is in milliseconds since the Unix epoch. */
export type RedisLimiterEvent =
  /** Redis failed three times: from now on requests are counted locally or refused, and Redis is probed each second. */
  | {
      readonly type: "redis.lost";
      readonly at: number;
      readonly whenDown: "local" | "refuse";
      /** Why, in words without secrets. */
      readonly reason: string;
    }
  /** Redis answers, and limits are counted there again. */
  | { readonly type: "redis.back"; readonly at: number; readonly downMs: number };

const knownOptions = {
  prefix: true,
  expectedProcesses: true,
  whenDown: true,
  timeoutMs: true,
  observer: true,
} as const;

/** The options with nothing left to default; throws a RangeError that says which one cannot be. */
export function checkedOptions(options: RedisLimiterOptions): Required<RedisLimiterOptions> {
  requireKnown("redisLimiter", options, knownOptions);
  const { prefix = "tollgate", expectedProcesses = 1, whenDown = "local", timeoutMs = 250 } = options;
  if (!/^[^{}]+$/.test(prefix)) {
    throw new RangeError(
      "`prefix` must be text without braces, since Redis Cluster places keys by what stands in braces.",
    );
  }
  if (whenDown !== "local" && whenDown !== "refuse") {
    throw new RangeError('`whenDown` must be "local" or "refuse".');
  }
  return {
    prefix,
    whenDown,
    expectedProcesses: checkedWholeNumber("`expectedProcesses`", expectedProcesses, 1),
    timeoutMs: checkedWholeNumber("`timeoutMs`", timeoutMs, 1),
    observer: options.observer ?? (() => undefined),
  };
}
