import type {
  DeliveryState,
  WebhookAttempt,
  WebhookMethod,
  WebhookRequest,
  WebhookResult,
} from "@tollgate/core/extension";
import { readRetryAfter } from "@tollgate/core/provider";
import { type AttemptOutcome, attempt, type RunnerPolicy } from "./attempt.ts";
import { Fault } from "./fault.ts";
import { faultOf, timeLimit } from "./time-limit.ts";

/** One attempt with its outcome and duration. */
interface TimedAttempt {
  readonly outcome: AttemptOutcome;
  readonly durationMs: number;
}

/** Runs a webhook as the `WebhookRunner` port specifies: at most two attempts within one deadline. Never rejects. */
export async function runWebhook(policy: RunnerPolicy, request: WebhookRequest): Promise<WebhookResult> {
  const { timeoutMs, method } = request;
  const endsAt = performance.now() + timeoutMs;
  const limit = timeLimit(request.signal, timeoutMs, new Fault("timeout", `No response within ${timeoutMs} ms.`));
  try {
    if (limit.signal.aborted) return toResult(method, unsent(faultOf(limit.signal)), []);
    const first = await timed(() => attempt(policy, request, limit.signal));
    const delay = retryDelay(method, first.outcome);
    if (delay === undefined || performance.now() + delay >= endsAt) return toResult(method, first.outcome, [first]);
    await pause(delay, limit.signal);
    if (limit.signal.aborted) return toResult(method, unsent(faultOf(limit.signal)), [first]);
    const second = await timed(() => attempt(policy, request, limit.signal));
    return toResult(method, second.outcome, [first, second]);
  } finally {
    limit.clear();
  }
}

async function timed(run: () => Promise<AttemptOutcome>): Promise<TimedAttempt> {
  const start = performance.now();
  const outcome = await run();
  return { outcome, durationMs: Math.round(performance.now() - start) };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}

function unsent({ failure, message }: Fault): AttemptOutcome {
  return { kind: "failed", failure, detail: message, sent: false, status: null };
}

function toResult(method: WebhookMethod, outcome: AttemptOutcome, attempted: readonly TimedAttempt[]): WebhookResult {
  const attempts = attempted.map(toAttempt);
  if (outcome.kind === "answered") {
    const { status, header, body } = outcome.answer;
    return { kind: "answered", status, contentType: header("content-type"), body, attempts };
  }
  const { failure, detail, status } = outcome;
  const certainty = certaintyOf(method, status, attempted);
  return { kind: "failed", failure, certainty, detail, status, attempts };
}

function toAttempt({ outcome, durationMs }: TimedAttempt): WebhookAttempt {
  if (outcome.kind === "answered") return { durationMs, status: outcome.answer.status };
  return { durationMs, status: outcome.status, failure: outcome.failure };
}

/** A GET has no side effects. For other methods, an error status from the target means that nothing happened. */
function certaintyOf(method: WebhookMethod, status: number | null, attempted: readonly TimedAttempt[]): DeliveryState {
  if (!attempted.some(({ outcome }) => outcome.kind === "answered" || outcome.sent)) return "not_sent";
  return method === "GET" || (status ?? 0) >= 400 ? "failed" : "unknown";
}

const transientStatuses = [408, 429, 502, 503, 504];
const minDelayMs = 250;
const maxDelayMs = 1_000;

/**
 * The delay before a webhook is retried, in milliseconds; undefined if it must not be retried. A GET is retried after a
 * transient failure, any other method only if nothing was sent (RFC 9110, section 9.2.2).
 */
function retryDelay(method: WebhookMethod, outcome: AttemptOutcome): number | undefined {
  const jitter = minDelayMs + Math.random() * (maxDelayMs - minDelayMs);
  if (outcome.kind === "failed") return mayRetry(method, outcome) ? jitter : undefined;
  if (method !== "GET" || !transientStatuses.includes(outcome.answer.status)) return undefined;
  return Math.max(jitter, 1_000 * (readRetryAfter(outcome.answer.header) ?? 0));
}

function mayRetry(method: WebhookMethod, { failure, sent }: AttemptOutcome & { kind: "failed" }): boolean {
  return (failure === "connect_error" || failure === "dns_error") && (method === "GET" || !sent);
}
