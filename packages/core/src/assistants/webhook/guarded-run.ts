import type { WebhookRequest, WebhookResult, WebhookRunner } from "../../ports/webhook-runner.ts";
import { checkResult, failedResult } from "./check-result.ts";
import { describeThrown } from "./describe-thrown.ts";

/** How much longer than its time a runner may take before it is not waited for, in milliseconds. */
const graceMs = 1_000;

/**
 * Runs a webhook with a runner that may break its promises: one that throws, gives nonsense, or does not end in time or
 * when it is called off, has failed. Never rejects.
 */
export async function guardedRun(runner: WebhookRunner, request: WebhookRequest): Promise<WebhookResult> {
  if (request.signal.aborted) {
    return { ...failedResult("cancelled", "The call was cancelled before it began."), certainty: "not_sent" };
  }
  const ending = new AbortController();
  const watch = watchTime(request);
  const callOff = () => ending.abort();
  request.signal.addEventListener("abort", callOff, { once: true });
  try {
    return await Promise.race([attempt(runner, { ...request, signal: ending.signal }), watch.ended]);
  } finally {
    watch.stop();
    request.signal.removeEventListener("abort", callOff);
    callOff();
  }
}

async function attempt(runner: WebhookRunner, request: WebhookRequest): Promise<WebhookResult> {
  try {
    return checkResult(await runner.run(request));
  } catch (thrown) {
    return failedResult("connect_error", `The runner threw instead of returning a result: ${describeThrown(thrown)}`);
  }
}

/** Ends when the runner should long have: after its time, or after the call was called off. */
function watchTime(request: WebhookRequest): { readonly ended: Promise<WebhookResult>; stop(): void } {
  const { promise: ended, resolve } = deferred<WebhookResult>();
  const late = (failure: "timeout" | "cancelled") => () =>
    resolve(failedResult(failure, "The runner did not end when it had to. Correct the runner."));
  let timer = setTimeout(late("timeout"), request.timeoutMs + graceMs);
  const hurry = () => {
    clearTimeout(timer);
    timer = setTimeout(late("cancelled"), graceMs);
  };
  request.signal.addEventListener("abort", hurry, { once: true });
  const stop = () => {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", hurry);
  };
  return { ended, stop };
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}
