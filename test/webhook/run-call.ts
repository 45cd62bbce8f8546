import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/core/assistants";

/** Runs a GET with 15 seconds of time, unless `more` says otherwise. */
export function runCall(
  runner: WebhookRunner,
  url: string,
  more: Partial<WebhookRequest> = {},
): Promise<WebhookResult> {
  const { signal } = new AbortController();
  const plain = { headers: [], body: undefined, timeoutMs: 15_000, signingSecret: undefined, signal };
  return runner.run({ id: crypto.randomUUID(), method: "GET", url, ...plain, ...more });
}

/** The body of an answer as text; fails the test when there is none. */
export function textOf(result: WebhookResult): string {
  if (result.kind === "failed") throw new Error(`There was no answer: ${result.failure}, ${result.detail}`);
  return new TextDecoder().decode(result.body);
}
