import { providerContract } from "@tollgate/contract";
import { fetchTransport } from "@tollgate/core";
import { google } from "@tollgate/google";
import { pooledTransport } from "@tollgate/node";
import { describe, it } from "vitest";
import { geminiCodec } from "./gemini-codec.ts";

describe.concurrent("google over fetchTransport", () => {
  providerContract({
    test: { describe, it },
    codec: geminiCodec,
    create: ({ origin, apiKey }) => ({
      provider: google({ baseURL: origin, apiKey }),
      transport: fetchTransport(),
    }),
  });
});

describe.concurrent("google over pooledTransport", () => {
  providerContract({
    test: { describe, it },
    codec: geminiCodec,
    create: ({ origin, apiKey }) => {
      const transport = pooledTransport();
      return { provider: google({ baseURL: origin, apiKey }), transport, close: () => transport.destroy() };
    },
  });
});
