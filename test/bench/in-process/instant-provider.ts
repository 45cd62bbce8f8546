import type { ProviderAdapter } from "@tollgate/core/provider";

const completion = {
  choices: [{ index: 0, message: { role: "assistant", content: "Paris is the capital." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 42, completion_tokens: 57, total_tokens: 99 },
} as const;

/** A provider that answers at once, so that only the gateway and its client take time. */
export const instantProvider: ProviderAdapter = {
  name: "instant",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async () => completion,
  stream: () => Promise.reject(new Error("The bench asks for no stream.")),
};
