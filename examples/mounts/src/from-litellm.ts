import { anthropic } from "@tollgate/anthropic";
import { createGateway, openaiCompatible, parseAmount } from "@tollgate/core";
import type { IssuedKey } from "@tollgate/core/store";
import { keys, options } from "../../shop/src/gateway.ts";

const claude = anthropic({ apiKey: process.env["ANTHROPIC_API_KEY"] ?? "" });
const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});

export const gateway = createGateway({
  ...options,
  models: [
    {
      id: "acme-large",
      maxOutputTokens: 64_000,
      price: { input: "3", output: "15" },
      targets: [
        { provider: claude, model: "claude-sonnet-4-5", priority: 1 },
        { provider: openai, model: "gpt-5", priority: 2, price: { input: "1.25", output: "10" } },
      ],
    },
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: { input: "0.25", output: "2" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
  routing: { retries: 2, breaker: { threshold: 3, cooldownMs: 30_000 } },
  upstream: { totalMs: 600_000 },
});

/** Creates the key that `/key/generate` of LiteLLM would create. */
export async function createKey(account: string): Promise<IssuedKey> {
  return keys.create({
    account,
    plan: "prepaid",
    models: ["acme-small"],
    limits: { requests: { limit: 60 }, concurrency: 10 },
    spend: { limit: parseAmount("20"), window: "month" },
    expiresAt: new Date(Date.now() + 90 * 86_400_000),
  });
}
