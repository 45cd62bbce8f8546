import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdk } from "@tollgate/ai-sdk";
import type { Target } from "@tollgate/core";

const upstream = createOpenAICompatible({
  name: "acme",
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"] ?? "",
});

export const target: Target = { provider: aiSdk((id) => upstream(id)), model: "gpt-4o-mini" };
