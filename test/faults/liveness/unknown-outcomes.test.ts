import { memoryLimiter } from "@tollgate/core";
import { expect, it } from "vitest";
import { failsAfter, faulty, stalls } from "../../support/faulty.ts";
import { gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { completionOf } from "../../support/scripted-provider.ts";
import { pass, useFakeTime } from "./fake-time.ts";
import { longestOrphanMs, opening, sharedLedger } from "./processes.ts";

useFakeTime();

const ackLost = failsAfter(() => new Error("connection lost"));

it("a hold whose response was lost is released after the 503, long before its lease ends", async () => {
  const { ledger, start } = sharedLedger();
  const process = start();
  process.faults["hold"] = ackLost;
  expect((await process.chat(await process.key())).status).toBe(503);
  expect(ledger.balance("acme")).toMatchObject({ posted: opening, held: 0n });
});

it("a hold that takes effect after its release is left to its lease", async () => {
  const { ledger, start } = sharedLedger();
  const process = start();
  process.faults["hold"] = stalls(5_000);
  const answer = process.chat(await process.key());
  await pass(2_000);
  expect((await answer).status).toBe(503);
  await pass(3_000);
  expect(ledger.balance("acme").held).toBeGreaterThan(0n);
  await pass(longestOrphanMs);
  expect(ledger.balance("acme")).toMatchObject({ posted: opening, held: 0n });
});

it("a place whose response was lost is released", async () => {
  let lost = true;
  const limiter = faulty(memoryLimiter(), (verb) => (lost && verb === "reserve" ? ackLost : undefined));
  const { chat, key, provider } = gatewayUnderTest({ limiter });
  provider.script = { complete: async () => completionOf("Hi") };
  const secret = await key({ limits: { concurrency: 1, tokens: { limit: 1_100 } } });
  expect((await chat(secret)).status).toBe(503);
  lost = false;
  expect((await chat(secret)).status).toBe(200);
});
