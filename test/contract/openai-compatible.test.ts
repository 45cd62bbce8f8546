import { providerContract } from "@tollgate/contract";
import { fetchTransport, openaiCompatible } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { describe, it } from "vitest";

describe.concurrent("openaiCompatible over fetchTransport", () => {
  providerContract({
    test: { describe, it },
    create: ({ origin, apiKey }) => ({
      provider: openaiCompatible({ baseURL: `${origin}/v1`, apiKey }),
      transport: fetchTransport(),
    }),
  });
});

describe.concurrent("openaiCompatible over pooledTransport", () => {
  providerContract({
    test: { describe, it },
    create: ({ origin, apiKey }) => {
      const transport = pooledTransport();
      const provider = openaiCompatible({ baseURL: `${origin}/v1`, apiKey });
      return { provider, transport, close: () => transport.destroy() };
    },
  });
});
