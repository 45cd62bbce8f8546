import type { Limiter, Window } from "@tollgate/core/store";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { hashTag } from "./hash-tag.ts";
import type { RunScript } from "./script.ts";
import { countScript } from "./scripts.ts";

const mostLimiters = 1_000;

/**
 * Counts requests in fixed windows that the first request opens, by rate-limiter-flexible's Redis limiter: one point a
 * call, whole seconds, and no insurance, since that would hide what fails.
 */
export class RequestWindows {
  readonly #run: RunScript;
  readonly #prefix: string;
  readonly #limiters = new Map<string, WindowLimiter>();

  constructor(run: RunScript, prefix: string) {
    this.#run = run;
    this.#prefix = prefix;
  }

  /** Takes one request from the subject's window. A subject whose limit changes starts a window of its own. */
  async count(subject: string, window: Window): Promise<Awaited<ReturnType<Limiter["countRequest"]>>> {
    const { granted, count } = await take(this.#limiterOf(window), hashTag(subject));
    const { remainingPoints: remaining, msBeforeNext, now } = count;
    return { granted, state: { limit: window.limit, remaining, resetAt: now + msBeforeNext, now } };
  }

  #limiterOf({ limit, windowSeconds }: Window): WindowLimiter {
    const name = `${limit}/${windowSeconds}`;
    const known = this.#limiters.get(name);
    if (known !== undefined) return known;
    // The counts are in Redis, so that forgetting limiters costs nothing but making them again.
    if (this.#limiters.size >= mostLimiters) this.#limiters.clear();
    const limiter = new WindowLimiter(this.#run, `${this.#prefix}:requests:${name}`, limit, windowSeconds);
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

/** The outcome of a call with Redis's time, in milliseconds since the Unix epoch. */
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
      // Shaped as node-redis for either client, so that the limiter need not tell them apart, nor add to them.
      storeClient: { eval: (_: string, call: Call) => run(countScript, call.keys, call.arguments) },
      useRedisPackage: true,
      customIncrTtlLuaScript: countScript.text,
      keyPrefix,
      points,
      duration,
    });
  }

  /** What every limiter of rate-limiter-flexible brings of its own: how a reply of its store is read. */
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

/** A refusal is an outcome too; whatever else was thrown is a failure of the store. */
function counted(outcome: unknown): Count {
  if (outcome instanceof Count) return outcome;
  throw outcome;
}
