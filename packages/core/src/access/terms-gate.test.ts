import { expect, it } from "vitest";
import { memoryTermsStore } from "../memory/memory-terms-store.ts";
import { TermsGate } from "./terms-gate.ts";

it("keeps no refusal of a look-up that began before an acceptance", async () => {
  const memory = memoryTermsStore();
  const waiting: (() => void)[] = [];
  const store = {
    accept: (account: string, version: string) => memory.accept(account, version),
    acceptance: async (account: string, versions: readonly string[]) => {
      const found = memory.acceptance(account, versions);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return found;
    },
  };
  const versions = [{ id: "v1", version: "1", acceptUrl: "https://host.test" }];
  const gate = new TermsGate(store, () => versions, 1_000);
  const early = gate.accepted("acme", ["v1"]);
  await gate.accept("acme", "v1");
  waiting.shift()?.();
  expect(await early).toBe(false);
  const late = gate.accepted("acme", ["v1"]);
  waiting.shift()?.();
  expect(await late).toBe(true);
});
