import { anthropic } from "@tollgate/anthropic";
import { createGateway, openaiCompatible } from "@tollgate/core";
import { options } from "../../shop/src/gateway.ts";

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
        { provider: claude, model: "claude-sonnet-4-5", priority: 1, weight: 3 },
        { provider: openai, model: "gpt-5", priority: 1, weight: 1 },
      ],
    },
  ],
  routing: { retries: 3 },
  upstream: { totalMs: 60_000 },
});
