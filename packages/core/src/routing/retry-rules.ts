import { GatewayError } from "../errors/gateway-error.ts";
import { ProviderError, type ProviderFailure } from "../errors/provider-error.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { RetrySettings } from "./routing-options.ts";

/** How often a failure is tried again on its target, and whether it may be tried elsewhere. */
interface Rule {
  readonly again: "up to the limit" | "once" | "never";
  readonly elsewhere: "always" | "a larger window" | "never";
}

const rules: Readonly<Record<ProviderFailure, Rule>> = {
  rejected: { again: "never", elsewhere: "never" },
  context_length: { again: "never", elsewhere: "a larger window" },
  too_large: { again: "never", elsewhere: "never" },
  credentials: { again: "never", elsewhere: "always" },
  failed: { again: "up to the limit", elsewhere: "always" },
  overloaded: { again: "up to the limit", elsewhere: "always" },
  unreachable: { again: "up to the limit", elsewhere: "always" },
  timeout: { again: "never", elsewhere: "always" },
  invalid_response: { again: "once", elsewhere: "always" },
};

/** What a provider throws beside its errors is a fault of its adapter, which another may not have. */
const unsorted: Rule = { again: "never", elsewhere: "always" };

/**
 * Milliseconds to wait before a target is tried again; undefined: it is not. `tries` counts those made there. A random
 * part of a back-off that doubles, or what the upstream asked for when that is short.
 */
export function retryWaitMs(
  cause: unknown,
  tries: number,
  { backoffMs, maxRetryAfterMs }: RetrySettings,
): number | undefined {
  const { again } = ruleOf(cause);
  if (again === "never" || (again === "once" && tries > 1)) return undefined;
  const asked = ProviderError.is(cause) ? cause.details.retryAfterSeconds : undefined;
  if (asked === undefined) return Math.random() * backoffMs * 2 ** (tries - 1);
  return asked * 1_000 <= maxRetryAfterMs ? asked * 1_000 : undefined;
}

/** True when what failed on one target may be tried on another. */
export function fallsBack(cause: unknown, from: ModelTarget, to: ModelTarget): boolean {
  const { elsewhere } = ruleOf(cause);
  return elsewhere === "a larger window" ? to.contextWindow > from.contextWindow : elsewhere === "always";
}

function ruleOf(cause: unknown): Rule {
  if (ProviderError.is(cause)) return rules[cause.failure];
  // The gateway's own: the client has gone, or a drain is over.
  return GatewayError.is(cause) ? { again: "never", elsewhere: "never" } : unsorted;
}
