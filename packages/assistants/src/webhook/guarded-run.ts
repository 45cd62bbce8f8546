import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/core/extension";
import * as v from "valibot";
import { describeThrown } from "./describe-thrown.ts";

/** How long after its timeout a runner is still awaited, in milliseconds. */
const graceMs = 1_000;

/**
 * Runs a webhook, and guards against a faulty runner: one that throws, returns an invalid result, or does not end after
 * its timeout or abort gives a failed result. Never rejects.
 */
export async function guardedRun(runner: WebhookRunner, request: WebhookRequest): Promise<WebhookResult> {
  if (request.signal.aborted) {
    return { ...failedResult("cancelled", "The call was cancelled before it began."), certainty: "not_sent" };
  }
  const controller = new AbortController();
  const deadline = startDeadline(request);
  const abort = () => controller.abort();
  request.signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([attempt(runner, { ...request, signal: controller.signal }), deadline.passed]);
  } finally {
    deadline.clear();
    request.signal.removeEventListener("abort", abort);
    abort();
  }
}

async function attempt(runner: WebhookRunner, request: WebhookRequest): Promise<WebhookResult> {
  try {
    return checkResult(await runner.run(request));
  } catch (thrown) {
    return failedResult("connect_error", `The runner threw instead of returning a result: ${describeThrown(thrown)}`);
  }
}

/** `passed` resolves with a failure when the runner exceeds the grace period after its timeout or after an abort. */
function startDeadline(request: WebhookRequest): { readonly passed: Promise<WebhookResult>; clear(): void } {
  const { promise: passed, resolve } = deferred<WebhookResult>();
  const fail = (failure: "timeout" | "cancelled") => () =>
    resolve(failedResult(failure, "The runner did not end after its timeout or abort. Correct the runner."));
  let timer = setTimeout(fail("timeout"), request.timeoutMs + graceMs);
  const onAbort = () => {
    clearTimeout(timer);
    timer = setTimeout(fail("cancelled"), graceMs);
  };
  request.signal.addEventListener("abort", onAbort, { once: true });
  const clear = () => {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", onAbort);
  };
  return { passed, clear };
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}

const status = v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599));
const failure = v.picklist([
  "blocked_target",
  "dns_error",
  "connect_error",
  "tls_error",
  "timeout",
  "response_too_large",
  "invalid_response",
  "cancelled",
]);
const attempts = v.array(
  v.object({ durationMs: v.number(), status: v.nullable(status), failure: v.exactOptional(failure) }),
);

const result = v.variant("kind", [
  v.object({
    kind: v.literal("answered"),
    status,
    contentType: v.nullish(v.string()),
    body: v.instance(Uint8Array),
    attempts,
  }),
  v.object({
    kind: v.literal("failed"),
    failure,
    certainty: v.picklist(["not_sent", "failed", "unknown"]),
    detail: v.string(),
    status: v.nullable(status),
    attempts,
  }),
]);

/** Returns the result of a runner; or, if it is invalid, a failure of unknown certainty. */
function checkResult(value: unknown): WebhookResult {
  const parsed = v.safeParse(result, value);
  if (!parsed.success) {
    const path = v.getDotPath(parsed.issues[0]) ?? "the result";
    return failedResult("connect_error", `The runner returned an invalid result at ${path}. Correct the runner.`);
  }
  const { output } = parsed;
  return output.kind === "failed" ? output : { ...output, contentType: output.contentType ?? undefined };
}

/** Returns a failure of unknown certainty. */
function failedResult(
  failure: "connect_error" | "timeout" | "cancelled",
  detail: string,
): WebhookResult & { readonly kind: "failed" } {
  return { kind: "failed", failure, certainty: "unknown", detail, status: null, attempts: [] };
}
