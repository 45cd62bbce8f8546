import type { Target } from "@tollgate/core";
import type { ChatCompletionRequest, ProviderAdapter } from "@tollgate/core/provider";

/** Repeats the last message, so that the app works without a model. */
const offline: ProviderAdapter = {
  name: "offline",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: async ({ request }) => ({
    choices: [{ message: { content: wordsOf(request).join("") }, finish_reason: "stop" }],
    usage: usageOf(request),
  }),
  stream: async ({ request }) => ({ kind: "chunks", chunks: chunksOf(request) }),
};

async function* chunksOf(request: ChatCompletionRequest) {
  for (const word of wordsOf(request)) yield { choices: [{ delta: { content: word } }] };
  yield { choices: [{ delta: {}, finish_reason: "stop" }], usage: usageOf(request) };
}

function wordsOf({ messages }: ChatCompletionRequest) {
  const content = messages.at(-1)?.content;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return `You said: ${text}`.split(/(?<= )/);
}

const usageOf = (request: ChatCompletionRequest) => ({
  prompt_tokens: JSON.stringify(request.messages).split(" ").length,
  completion_tokens: wordsOf(request).length,
});

export const target: Target = { provider: offline, model: "offline" };
