import type { WebhookMethod } from "@tollgate/core/extension";
import { readRetryAfter } from "@tollgate/core/provider";
import type { AttemptOutcome } from "./attempt.ts";

const transientStatuses = [408, 429, 502, 503, 504];
const minDelayMs = 250;
const maxDelayMs = 1_000;

/**
 * The delay before a webhook is retried, in milliseconds; undefined if it must not be retried. A GET is retried after a
 * transient failure, any other method only if nothing was sent (RFC 9110, section 9.2.2).
 */
export function retryDelay(method: WebhookMethod, outcome: AttemptOutcome): number | undefined {
  const jitter = minDelayMs + Math.random() * (maxDelayMs - minDelayMs);
  if (outcome.kind === "failed") return mayRetry(method, outcome) ? jitter : undefined;
  if (method !== "GET" || !transientStatuses.includes(outcome.answer.status)) return undefined;
  return Math.max(jitter, 1_000 * (readRetryAfter(outcome.answer.header) ?? 0));
}

function mayRetry(method: WebhookMethod, { failure, sent }: AttemptOutcome & { kind: "failed" }): boolean {
  return (failure === "connect_error" || failure === "dns_error") && (method === "GET" || !sent);
}
