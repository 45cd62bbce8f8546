import { readFileSync } from "node:fs";
import { providerContract } from "@tollgate/contract";
import { pooledTransport } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { orator } from "./orator.ts";
import { oratorCodec as codec } from "./orator-codec.ts";

describe.concurrent("the example of a custom provider over fetchTransport", () => {
  providerContract({
    test: { describe, it },
    codec,
    create: ({ origin, apiKey }) => ({ provider: orator({ baseURL: origin, apiKey }) }),
  });
});

describe.concurrent("the example of a custom provider over pooledTransport", () => {
  providerContract({
    test: { describe, it },
    codec,
    create: ({ origin, apiKey }) => {
      const transport = pooledTransport();
      return { provider: orator({ baseURL: origin, apiKey }), transport, close: () => transport.destroy() };
    },
  });
});

it("the example of a custom provider has at most 45 lines of code", () => {
  const lines = readFileSync(new URL("orator.ts", import.meta.url), "utf8").split("\n");
  const code = lines.filter((line) => !/^\s*(?:\/\/.*|\/\*.*|\*.*)?$/.test(line));
  expect(code.length).toBeLessThanOrEqual(45);
  expect(code.length).toBeGreaterThan(20);
});
