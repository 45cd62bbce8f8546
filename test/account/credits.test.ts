import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closedGate } from "../support/gate.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { read } from "./reading.ts";

const now = new Date("2026-03-11T10:00:00Z");

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.useRealTimers());

describe("GET /credits", () => {
  // https://openrouter.ai/docs/api/api-reference/credits/get-credits, and `GetCreditsData` of @openrouter/sdk.
  it("has the totals that OpenRouter documents, and the exact balance", async () => {
    const tested = gatewayUnderTest({ currency: "EUR" });
    tested.provider.script = { complete: async () => completionOf("Hi") };
    const secret = await tested.key();
    const expiresAt = new Date("2026-04-01T00:00:00Z");
    tested.balances.credit({
      id: "bonus",
      account: "acme",
      amount: "0.5",
      reason: "test",
      kind: "granted",
      expiresAt,
    });
    await tested.chat(secret);
    const { body, headers } = await read(tested, secret, "/credits");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      data: { total_credits: 1.5, total_usage: 0.00002 },
      balance: {
        currency: "EUR",
        posted: "1.49998",
        held: "0",
        available: "1.49998",
        expiring: [{ amount: "0.49998", expires_at: expiresAt.toISOString() }],
      },
      totals: { credited: "1.5", used: "0.00002" },
    });
  });

  it("leaves the posted balance as the difference of the totals, after credits that expired and debits", async () => {
    const tested = gatewayUnderTest();
    const secret = await tested.key();
    const expiresAt = new Date("2026-03-12T00:00:00Z");
    tested.balances.credit({ id: "bonus", account: "acme", amount: "0.5", reason: "test", expiresAt });
    tested.balances.debit({ id: "correction", account: "acme", amount: "0.25", reason: "test" });
    vi.setSystemTime(expiresAt);
    const { body } = await read(tested, secret, "/credits");
    expect(body.balance).toMatchObject({ currency: null, posted: "1", expiring: [] });
    expect(body.data.total_credits - body.data.total_usage).toBe(1);
    expect(body.totals.credited).toBe("1.5");
  });

  it("counts the allowance of the present window as granted before the first request of it", async () => {
    const allowance = { amount: "2", window: "month" } as const;
    const tested = gatewayUnderTest({ plans: [{ id: "prepaid", billing: "prepaid", allowance }] });
    tested.provider.script = { complete: async () => completionOf("Hi") };
    const secret = await tested.key({ account: "new" });
    const expires = { expires_at: "2026-04-01T00:00:00.000Z" };
    expect((await read(tested, secret, "/credits")).body).toMatchObject({
      data: { total_credits: 2, total_usage: 0 },
      balance: { posted: "2", available: "2", expiring: [{ amount: "2", ...expires }] },
    });
    expect((await read(tested, secret, "/key")).body.data.is_free_tier).toBe(false);
    await tested.chat(secret);
    expect((await read(tested, secret, "/credits")).body).toMatchObject({
      data: { total_credits: 2, total_usage: 0.00002 },
      balance: { posted: "1.99998", expiring: [{ amount: "1.99998", ...expires }] },
    });
  });

  it("shows what running requests hold", async () => {
    const tested = gatewayUnderTest();
    const secret = await tested.key();
    const begun = closedGate();
    const finish = closedGate();
    tested.provider.script = {
      async complete() {
        begun.open();
        await finish.opened;
        return completionOf("Hi");
      },
    };
    const call = tested.chat(secret, { max_tokens: 100 });
    await begun.opened;
    const { posted, held, available } = (await read(tested, secret, "/credits")).body.balance;
    expect(posted).toBe("1");
    expect(Number(held)).toBeGreaterThan(0.0002);
    expect(Number(available)).toBeCloseTo(1 - Number(held), 9);
    finish.open();
    await call;
  });
});
