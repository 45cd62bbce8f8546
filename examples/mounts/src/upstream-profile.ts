import { openaiCompatible } from "@tollgate/core";

export const acme = openaiCompatible({
  baseURL: "https://llm.acme.example/v1",
  apiKey: process.env["ACME_API_KEY"],
  profile: {
    answers: {
      // The usage is { prompt_tokens, completion_tokens, cache: { read } }.
      cachedTokens: ["cache.read"],
      finishReasons: { out_of_budget: "length", gave_up: "interrupted" },
    },
    thoughts: "reasoning_content",
    toolNameLength: 64,
    refusedFields: ["logit_bias"],
  },
});
