import { describe, expect, it } from "vitest";
import { failsAfter, stalls } from "../../support/faulty.ts";
import { completionOf } from "../../support/scripted-provider.ts";
import { pass, useFakeTime } from "./fake-time.ts";
import { down, eventsOf, leaseMs, opening, type Process, sharedLedger } from "./processes.ts";

useFakeTime();

const cost = 10n * 1_000n + 5n * 2_000n;

/** Sends a request that must succeed although its settlement fails. */
async function answeredUnsettled(process: Process): Promise<void> {
  process.provider.script = { complete: async () => completionOf("Hi") };
  const answer = process.chat(await process.key());
  await pass(250);
  expect((await answer).status).toBe(200);
}

const kinds = ({ ledger }: ReturnType<typeof sharedLedger>) =>
  ledger.entries({ account: "acme", limit: 10 }).entries.map(({ kind }) => kind);

const outages = [200, 10_000, 70_000, 300_000];

describe.each(outages)("when settlements fail for %i ms", (outageMs) => {
  it.each([
    ["alone", "settle", down],
    ["together with every other call", "all", down],
    ["with lost responses", "settle", failsAfter(() => new Error("connection lost"))],
    ["in a store that hangs", "settle", stalls(outageMs)],
  ])("%s, the request succeeds, its cost is posted once, and its hold does not expire", async (_name, verb, fault) => {
    const shared = sharedLedger();
    const process = shared.start();
    process.faults["settle"] = down;
    await answeredUnsettled(process);
    process.faults["settle"] = undefined;
    process.faults[verb] = fault;
    await pass(outageMs);
    process.faults[verb] = undefined;
    await pass(10_000);
    expect(shared.ledger.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
    expect(kinds(shared)).toEqual(["credit", "charge"]);
    expect(eventsOf(process, "ledger.conflict")).toEqual([]);
    expect((await process.chat(await process.key())).status).toBe(200);
  });

  it("together with renewals while another process sweeps, the cost is posted once, if necessary late", async () => {
    const shared = sharedLedger();
    const process = shared.start();
    process.faults["settle"] = down;
    process.faults["renew"] = down;
    await answeredUnsettled(process);
    await pass(outageMs);
    shared.ledger.expire();
    process.faults["settle"] = undefined;
    process.faults["renew"] = undefined;
    await pass(10_000);
    expect(shared.ledger.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
    expect(kinds(shared)).toEqual(["credit", outageMs > leaseMs ? "late" : "charge"]);
  });

  it("new requests are refused once a settlement is 30 s old, until it succeeds", async () => {
    const { start } = sharedLedger();
    const process = start();
    process.faults["settle"] = down;
    await answeredUnsettled(process);
    await pass(outageMs);
    const answer = process.chat(await process.key());
    await pass(250);
    const refused = await answer;
    expect(refused.status).toBe(outageMs > 30_000 ? 503 : 200);
    expect(refused.headers.get("retry-after")).toBe(outageMs > 30_000 ? "5" : null);
    process.faults["settle"] = undefined;
    await pass(10_000);
    expect((await process.chat(await process.key())).status).toBe(200);
  });
});

it("the full cost is charged when the process dies during the outage, since the lease was renewed with it", async () => {
  const shared = sharedLedger();
  const [process, other] = [shared.start(), shared.start()];
  await other.models(await other.key());
  process.faults["settle"] = down;
  await answeredUnsettled(process);
  await pass(20_000);
  process.faults["all"] = () => new Promise(() => undefined);
  await pass(100_000);
  expect(shared.ledger.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
  expect(kinds(shared)).toEqual(["credit", "expiry"]);
});

it("a backlog of 1,000 settlements runs eight at a time after the outage", async () => {
  const { ledger, start } = sharedLedger();
  const process = start();
  process.provider.script = { complete: async () => completionOf("Hi") };
  process.faults["settle"] = down;
  const secret = await process.key({ limits: {} });
  const answers = Promise.all(Array.from({ length: 1_000 }, () => process.chat(secret, { max_tokens: 10 })));
  await pass(500);
  expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 1_000 }, () => 200));
  await pass(20_000);
  let [running, most] = [0, 0];
  process.faults["settle"] = async (call) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    return call();
  };
  await pass(8_000);
  expect(most).toBe(8);
  expect(ledger.balance("acme")).toMatchObject({ posted: opening - 1_000n * cost, held: 0n });
});
