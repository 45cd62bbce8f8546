import type { Limiter, Window } from "@tollgate/core/store";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { hashTag, type RunScript } from "./script.ts";
import { countScript } from "./scripts.ts";

const maxLimiters = 1_000;

/**
 * Counts requests in fixed windows that the first request opens, with the Redis limiter of rate-limiter-flexible: one
 * point per call, whole seconds, and no insurance limiter, since that would hide failures.
 */
export class RequestWindows {
  readonly #run: RunScript;
  readonly #prefix: string;
  readonly #limiters = new Map<string, WindowLimiter>();

  constructor(run: RunScript, prefix: string) {
    this.#run = run;
    this.#prefix = prefix;
  }

  /** Counts one request in the subject's window. When the limit of a subject changes, a new window begins. */
  async count(subject: string, window: Window): Promise<Awaited<ReturnType<Limiter["countRequest"]>>> {
    const { granted, count } = await take(this.#limiterOf(window), hashTag(subject));
    const { remainingPoints: remaining, msBeforeNext, now } = count;
    return { granted, state: { limit: window.limit, remaining, resetAt: now + msBeforeNext, now } };
  }

  #limiterOf({ limit, windowSeconds }: Window): WindowLimiter {
    const name = `${limit}/${windowSeconds}`;
    const existing = this.#limiters.get(name);
    if (existing !== undefined) return existing;
    // The counts are in Redis, so clearing this cache is safe.
    if (this.#limiters.size >= maxLimiters) this.#limiters.clear();
    const limiter = new WindowLimiter(this.#run, `${this.#prefix}:requests:${name}`, limit, windowSeconds);
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

/** The result of a call with the time of Redis, in milliseconds since the Unix epoch. */
class Count extends RateLimiterRes {
  readonly now: number;

  constructor(points: number, [count = 0, left = 0, now = 0]: readonly number[]) {
    super(Math.max(0, points - count), left, count);
    this.now = now;
  }
}

class WindowLimiter extends RateLimiterRedis {
  constructor(run: RunScript, keyPrefix: string, points: number, duration: number) {
    super({
      // Has the interface of node-redis for both clients, so that the limiter neither detects nor extends a client.
      storeClient: { eval: (_: string, call: Call) => run(countScript, call.keys, call.arguments) },
      useRedisPackage: true,
      customIncrTtlLuaScript: countScript.text,
      keyPrefix,
      points,
      duration,
    });
  }

  /** Reads a reply of the store. Each limiter of rate-limiter-flexible overrides this method. */
  _getRateLimiterRes(_key: string, _points: number, reply: readonly number[]): Count {
    return new Count(this.points, reply);
  }
}

interface Call {
  readonly keys: string[];
  readonly arguments: string[];
}

async function take(
  limiter: WindowLimiter,
  key: string,
): Promise<{ readonly granted: boolean; readonly count: Count }> {
  try {
    return { granted: true, count: counted(await limiter.consume(key)) };
  } catch (refusal) {
    return { granted: false, count: counted(refusal) };
  }
}

/** The limiter throws a count for a refused request. Anything else that it throws is a failure of Redis. */
function counted(outcome: unknown): Count {
  if (outcome instanceof Count) return outcome;
  throw outcome;
}
