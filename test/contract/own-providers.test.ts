import { type ProviderSuiteOptions, providerContract, type TestRunner } from "@tollgate/contract";
import { openaiCompatible } from "@tollgate/core";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { withMessages } from "../../examples/custom-provider/src/with-messages.ts";
import { shoutingProvider } from "../../examples/mounts/src/own-provider.ts";
import { failuresOf } from "./failures.ts";
import { scriptPlayingProvider } from "./script-playing-provider.ts";

const test = { describe, it };

describe.concurrent("the provider of the guide, without an upstream", () => {
  providerContract({ test, create: () => ({ provider: shoutingProvider() }), behind: "nothing" });
});

describe.concurrent("a provider over a test double that plays scripts", () => {
  providerContract({ test, create: (upstream) => ({ provider: scriptPlayingProvider(upstream) }), behind: "scripts" });
});

describe.concurrent("the dialect that the guide adds to a provider", () => {
  // The other cases are those of `openaiCompatible`.
  const casesOfMessages: TestRunner = {
    describe: (_, body) => body(),
    it: (name, body) => name.startsWith("messages: ") && it(name, body),
  };
  providerContract({
    test: casesOfMessages,
    dialects: ["messages"],
    create: ({ origin, apiKey }) => {
      const provider = openaiCompatible({ baseURL: `${origin}/v1`, apiKey });
      return { provider: withMessages(provider, `${origin}/v1/messages`, apiKey) };
    },
  });
});

describe("the provider suite", () => {
  const options: Omit<ProviderSuiteOptions, "test"> = { create: () => ({ provider: shoutingProvider() }) };

  it("skips the cases that are named with a reason", async () => {
    const names: string[] = [];
    const collecting = { describe: (_: string, body: () => void) => body(), it: (name: string) => names.push(name) };
    const skipped = "a stream has a text and a finish reason";
    providerContract({ ...options, test: collecting, behind: "nothing", without: { [skipped]: "It has no streams." } });
    expect(names).not.toContain(skipped);
    expect(names).toContain("the request is not modified");
  });

  it("rejects an unknown case to skip, and one without a reason", () => {
    const skip = (without: Record<string, string>) => () => providerContract({ ...options, test, without });
    expect(skip({ "no such case": "None." })).toThrow(/no case "no such case"/);
    expect(skip({ "a stream has a text and a finish reason": " " })).toThrow(/without a reason/);
  });

  it("fails the cases of a provider that returns nothing", async () => {
    const provider: ProviderAdapter = {
      ...shoutingProvider(),
      complete: async () => ({ choices: [] }),
      stream: async () => ({ kind: "chunks", chunks: (async function* () {})() }),
    };
    const failed = await failuresOf((runner) => providerContract({ test: runner, create: () => ({ provider }) }));
    expect(failed).toContain("a stream has a text and a finish reason");
    expect(failed.length).toBeGreaterThan(40);
  });
});
