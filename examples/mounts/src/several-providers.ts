import { anthropic } from "@tollgate/anthropic";
import { createGateway, openaiCompatible } from "@tollgate/core";
import { google } from "@tollgate/google";
import { options } from "../../shop/src/gateway.ts";

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const claude = anthropic({ apiKey: process.env["ANTHROPIC_API_KEY"] ?? "" });
const gemini = google({ apiKey: process.env["GEMINI_API_KEY"] ?? "" });

export const gateway = createGateway({
  ...options,
  models: [
    {
      id: "acme-large",
      aliases: ["claude-*", "gpt-5"],
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
      vision: true,
      imageTokens: 1_600,
      price: { input: "3", cachedInput: "0.30", output: "15" },
      targets: [
        // The first gets three of four requests, the second one of four. If both fail, the third is tried.
        { provider: claude, model: "claude-sonnet-4-5", priority: 1, weight: 3 },
        { provider: openai, model: "gpt-5", priority: 1, price: { input: "1.25", output: "10" } },
        { provider: gemini, model: "gemini-2.5-pro", priority: 2, contextWindow: 1_000_000, imageTokens: 4_128 },
      ],
    },
  ],
  routing: { retries: 1 },
});
