import { providerContract } from "@tollgate/contract";
import { fetchTransport, openaiCompatible } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { describe, it } from "vitest";

const dialects = ["responses", "embeddings"] as const;

describe.concurrent("openaiCompatible over fetchTransport", () => {
  providerContract({
    test: { describe, it },
    dialects,
    create: ({ origin, apiKey }) => ({
      provider: openaiCompatible({ baseURL: `${origin}/v1`, apiKey, dialects }),
      transport: fetchTransport(),
    }),
  });
});

describe.concurrent("openaiCompatible over pooledTransport", () => {
  providerContract({
    test: { describe, it },
    dialects,
    create: ({ origin, apiKey }) => {
      const transport = pooledTransport();
      const provider = openaiCompatible({ baseURL: `${origin}/v1`, apiKey, dialects });
      return { provider, transport, close: () => transport.destroy() };
    },
  });
});
