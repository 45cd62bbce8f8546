import { type ProviderSuiteOptions, providerContract } from "@tollgate/contract";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { shoutingProvider } from "../../examples/mounts/src/own-provider.ts";
import { failuresOf } from "./failures.ts";
import { scriptPlayingProvider } from "./script-playing-provider.ts";

const test = { describe, it };

describe.concurrent("the guide's provider without an upstream", () => {
  providerContract({ test, create: () => ({ provider: shoutingProvider() }), behind: "nothing" });
});

describe.concurrent("a provider over a double that plays scripts", () => {
  providerContract({ test, create: (upstream) => ({ provider: scriptPlayingProvider(upstream) }), behind: "scripts" });
});

describe("the suite of providers", () => {
  const options: Omit<ProviderSuiteOptions, "test"> = { create: () => ({ provider: shoutingProvider() }) };

  it("leaves out the cases that are named with a reason", async () => {
    const names: string[] = [];
    const collecting = { describe: (_: string, body: () => void) => body(), it: (name: string) => names.push(name) };
    const left = "a stream has a text and a finish";
    providerContract({ ...options, test: collecting, behind: "nothing", without: { [left]: "It has no streams." } });
    expect(names).not.toContain(left);
    expect(names).toContain("the request stays as it was");
  });

  it("refuses a case that it does not have, and one without a reason", () => {
    const refusal = (without: Record<string, string>) => () => providerContract({ ...options, test, without });
    expect(refusal({ "no such case": "None." })).toThrow(/no case "no such case"/);
    expect(refusal({ "a stream has a text and a finish": " " })).toThrow(/without a reason/);
  });

  it("fails every case of a provider that does nothing", async () => {
    const provider: ProviderAdapter = {
      ...shoutingProvider(),
      complete: async () => ({ choices: [] }),
      stream: async () => ({ kind: "chunks", chunks: (async function* () {})() }),
    };
    const failed = await failuresOf((runner) => providerContract({ test: runner, create: () => ({ provider }) }));
    expect(failed).toContain("a stream has a text and a finish");
    expect(failed.length).toBeGreaterThan(40);
  });
});
