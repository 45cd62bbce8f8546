import { anthropic } from "@tollgate/anthropic";
import { providerContract } from "@tollgate/contract";
import { fetchTransport } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { describe, it } from "vitest";
import { messagesSpeech } from "./messages-speech.ts";

describe.concurrent("anthropic over fetchTransport", () => {
  providerContract({
    test: { describe, it },
    speech: messagesSpeech,
    create: ({ origin, apiKey }) => ({
      provider: anthropic({ baseURL: `${origin}/v1`, apiKey }),
      transport: fetchTransport(),
    }),
  });
});

describe.concurrent("anthropic over pooledTransport", () => {
  providerContract({
    test: { describe, it },
    speech: messagesSpeech,
    create: ({ origin, apiKey }) => {
      const transport = pooledTransport();
      const provider = anthropic({ baseURL: `${origin}/v1`, apiKey });
      return { provider, transport, close: () => transport.destroy() };
    },
  });
});
