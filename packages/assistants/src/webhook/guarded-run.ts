import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/core/extension";
import { checkResult, failedResult } from "./check-result.ts";
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
