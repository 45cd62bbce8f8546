import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/assistants";

/** Runs a GET with a timeout of 15 seconds; `more` overrides these defaults. */
export function runCall(
  runner: WebhookRunner,
  url: string,
  more: Partial<WebhookRequest> = {},
): Promise<WebhookResult> {
  const { signal } = new AbortController();
  const plain = { headers: [], body: undefined, timeoutMs: 15_000, signingSecret: undefined, signal };
  return runner.run({ id: crypto.randomUUID(), method: "GET", url, ...plain, ...more });
}

/** Returns the body of a response as text. Throws if the call failed. */
export function textOf(result: WebhookResult): string {
  if (result.kind === "failed") throw new Error(`The call failed: ${result.failure}, ${result.detail}`);
  return new TextDecoder().decode(result.body);
}
