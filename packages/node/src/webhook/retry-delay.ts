import type { WebhookMethod } from "@tollgate/core/assistants";
import { readRetryAfter } from "@tollgate/core/provider";
import type { AttemptOutcome } from "./attempt.ts";

const passing = [408, 429, 502, 503, 504];
const least = 250;
const most = 1_000;

/**
 * How long to wait before a webhook is tried again, in milliseconds; undefined when it is not to be. A GET is repeated
 * after a failure that may pass; another method only when nothing of it had been sent (RFC 9110, section 9.2.2).
 */
export function retryDelay(method: WebhookMethod, outcome: AttemptOutcome): number | undefined {
  const jitter = least + Math.random() * (most - least);
  if (outcome.kind === "failed") return mayPass(method, outcome) ? jitter : undefined;
  if (method !== "GET" || !passing.includes(outcome.answer.status)) return undefined;
  return Math.max(jitter, 1_000 * (readRetryAfter(outcome.answer.header) ?? 0));
}

function mayPass(method: WebhookMethod, { failure, sent }: AttemptOutcome & { kind: "failed" }): boolean {
  return (failure === "connect_error" || failure === "dns_error") && (method === "GET" || !sent);
}
