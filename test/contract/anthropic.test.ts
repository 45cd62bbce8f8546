import { anthropic } from "@tollgate/anthropic";
import { providerContract } from "@tollgate/contract";
import { fetchTransport } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { describe, it } from "vitest";
import { messagesCodec } from "./messages-codec.ts";

describe.concurrent("anthropic over fetchTransport", () => {
  providerContract({
    test: { describe, it },
    codec: messagesCodec,
    dialects: ["messages", "countTokens"],
    create: ({ origin, apiKey }) => ({
      provider: anthropic({ baseURL: `${origin}/v1`, apiKey }),
      transport: fetchTransport(),
    }),
  });
});

describe.concurrent("anthropic over pooledTransport", () => {
  providerContract({
    test: { describe, it },
    codec: messagesCodec,
    dialects: ["messages", "countTokens"],
    create: ({ origin, apiKey }) => {
      const transport = pooledTransport();
      const provider = anthropic({ baseURL: `${origin}/v1`, apiKey });
      return { provider, transport, close: () => transport.destroy() };
    },
  });
});
