import { collect, type NativeMethod, type ProviderAdapter, secretsOf, sendCall } from "@tollgate/core/provider";

const maxBytes = 16 * 1024 * 1024;

/** Adds Anthropic's Messages API, which the upstream also answers at `url`, to a provider. */
export function withMessages(provider: ProviderAdapter, url: string, apiKey: string): ProviderAdapter {
  const messages: NativeMethod = async (call) => {
    const hidden = [apiKey, new URL(url).host, call.model];
    const secrets = secretsOf(new URL(url), { "x-api-key": apiKey });
    const headers = { ...call.headers, "x-api-key": apiKey, "content-type": "application/json" };
    const post = { url, headers, body: call.encoded() };
    const { body } = await sendCall(call, post, () => ({ provider: provider.name, hidden }));
    if (call.stream) return { kind: "stream", bytes: body, hidden, secrets };
    return { kind: "json", body: await collect(body, maxBytes), hidden, secrets };
  };
  return {
    name: provider.name,
    capabilities: provider.capabilities,
    complete: (call) => provider.complete(call),
    stream: (call) => provider.stream(call),
    dialects: { ...provider.dialects, messages },
    secret: () => apiKey,
  };
}
