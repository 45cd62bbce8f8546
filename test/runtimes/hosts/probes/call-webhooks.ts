import { type WebhookRunnerOptions, webhookRunner } from "@tollgate/node";
import type { ProbeSettings } from "./answer-probe.ts";

/**
 * Calls two targets by names that only the resolver of the runner knows, over http and https, so that the calls arrive
 * only if the runtime connects to the checked addresses. A third name has the same address and is not allowed.
 */
export async function callWebhooks({ webhookHost, secureWebhookHost, certificate }: ProbeSettings) {
  const shop = `shop.internal:${new URL(`http://${webhookHost}`).port}`;
  const options: WebhookRunnerOptions = { allowHttp: true, lookup: async () => ["127.0.0.1"], ca: [certificate] };
  const runner = webhookRunner({ ...options, allowedTargets: [shop, secureWebhookHost] });
  const call = async (url: string) => {
    const result = await runner.run({
      id: crypto.randomUUID(),
      method: "POST",
      url,
      headers: [["Content-Type", "application/json"]],
      body: '{"number":1234}',
      timeoutMs: 5_000,
      signingSecret: undefined,
      signal: new AbortController().signal,
    });
    return result.kind === "answered" ? new TextDecoder().decode(result.body) : result.failure;
  };
  return [
    await call(`http://${shop}/orders`),
    await call(`https://${secureWebhookHost}/orders`),
    await call("http://other.internal/orders"),
  ];
}
