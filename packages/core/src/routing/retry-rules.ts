import { GatewayError } from "../errors/gateway-error.ts";
import { ProviderError, type ProviderFailure } from "../errors/provider-error.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { RetrySettings } from "./routing-options.ts";

/** Whether a failed call is retried on its target, and whether it may fail over to another. */
interface Rule {
  readonly retry: "up to the limit" | "once" | "never";
  readonly failover: "always" | "to a larger window" | "never";
}

const rules: Readonly<Record<ProviderFailure, Rule>> = {
  rejected: { retry: "never", failover: "never" },
  context_length: { retry: "never", failover: "to a larger window" },
  too_large: { retry: "never", failover: "never" },
  credentials: { retry: "never", failover: "always" },
  failed: { retry: "up to the limit", failover: "always" },
  overloaded: { retry: "up to the limit", failover: "always" },
  unreachable: { retry: "up to the limit", failover: "always" },
  timeout: { retry: "never", failover: "always" },
  invalid_response: { retry: "once", failover: "always" },
};

/** A provider that throws anything else has a faulty adapter, which another target may not use. */
const unknownError: Rule = { retry: "never", failover: "always" };

/**
 * Returns the delay before a retry on the same target in milliseconds, or undefined for no retry. `tries` counts the
 * attempts there. The delay is the upstream's `Retry-After`, or a random part of a backoff that doubles.
 */
export function retryWaitMs(
  cause: unknown,
  tries: number,
  { backoffMs, maxRetryAfterMs }: RetrySettings,
): number | undefined {
  const { retry } = ruleOf(cause);
  if (retry === "never" || (retry === "once" && tries > 1)) return undefined;
  const seconds = ProviderError.is(cause) ? cause.details.retryAfterSeconds : undefined;
  if (seconds === undefined) return Math.random() * backoffMs * 2 ** (tries - 1);
  return seconds * 1_000 <= maxRetryAfterMs ? seconds * 1_000 : undefined;
}

/** Returns true if a call that failed on one target may fail over to another. */
export function canFailOver(cause: unknown, from: ModelTarget, to: ModelTarget): boolean {
  const { failover } = ruleOf(cause);
  return failover === "to a larger window" ? to.contextWindow > from.contextWindow : failover === "always";
}

function ruleOf(cause: unknown): Rule {
  if (ProviderError.is(cause)) return rules[cause.failure];
  // A GatewayError means that the client disconnected or a drain ended.
  return GatewayError.is(cause) ? { retry: "never", failover: "never" } : unknownError;
}
