import { requireKnown } from "@tollgate/core/internal";
import { checkedWholeNumber } from "@tollgate/core/store";

/** The options of {@link redisLimiter}. */
export interface RedisLimiterOptions {
  /** The prefix of every key in Redis, the same for all gateways that share limits. The default is "tollgate". */
  readonly prefix?: string;
  /**
   * How many processes share the limits. During an outage each grants limit / processes, rounded up. The default is 1.
   */
  readonly expectedProcesses?: number;
  /**
   * During an outage of Redis: "local" counts this process's share of each limit in memory, and "reject" rejects every
   * request with 503. The default is "local".
   */
  readonly onOutage?: "local" | "reject";
  /** The timeout of one call to Redis, in milliseconds. The default is 250. */
  readonly timeoutMs?: number;
  /** Receives an event when an outage of Redis begins and when it ends. Errors that it throws are ignored. */
  readonly observer?: (event: RedisLimiterEvent) => void;
}

/** The beginning or end of an outage of Redis; `at` is in milliseconds since the Unix epoch. */
export type RedisLimiterEvent =
  /** Redis failed three times. Requests are now counted locally or rejected, and Redis is probed every second. */
  | {
      readonly type: "redis.lost";
      readonly at: number;
      readonly onOutage: "local" | "reject";
      /** An error message without secrets. */
      readonly reason: string;
    }
  /** Redis is available again and counts the limits. */
  | { readonly type: "redis.back"; readonly at: number; readonly downMs: number };

const knownOptions = {
  prefix: true,
  expectedProcesses: true,
  onOutage: true,
  timeoutMs: true,
  observer: true,
} as const;

/** Returns the options with their defaults. Throws a RangeError that names an invalid option. */
export function checkedOptions(options: RedisLimiterOptions): Required<RedisLimiterOptions> {
  requireKnown("redisLimiter", options, knownOptions);
  const { prefix = "tollgate", expectedProcesses = 1, onOutage = "local", timeoutMs = 250 } = options;
  if (!/^[^{}]+$/.test(prefix)) {
    throw new RangeError(
      "`prefix` must be text without braces, since Redis Cluster assigns keys to slots by the text in braces.",
    );
  }
  if (onOutage !== "local" && onOutage !== "reject") {
    throw new RangeError('`onOutage` must be "local" or "reject".');
  }
  return {
    prefix,
    onOutage,
    expectedProcesses: checkedWholeNumber("`expectedProcesses`", expectedProcesses, 1),
    timeoutMs: checkedWholeNumber("`timeoutMs`", timeoutMs, 1),
    observer: options.observer ?? (() => undefined),
  };
}
