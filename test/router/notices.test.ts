import { type GatewayOptions, memoryBalanceStore } from "@tollgate/core";
import type { AccountAdmin, BalanceStore, NoticeOutbox } from "@tollgate/core/store";
import { webhookRunner } from "@tollgate/node";
import { postgresBalanceStore } from "@tollgate/postgres";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { describeWithPostgres } from "../../packages/postgres/test-support/with-postgres.ts";
import { temporaryDatabase } from "../sqlite/temporary-database.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { type NoticeReceiver, noticeReceiver } from "../support/notice-receiver.ts";
import { completionOf } from "../support/scripted-provider.ts";

type Ledger = BalanceStore & AccountAdmin & NoticeOutbox;

const hour = 3_600_000;
const noon = Date.parse("2027-01-01T12:00:00Z");
const limit = { limit: "0.001", timezone: "Asia/Tokyo" };
/** The longest time from a notice to the poll that finds it, and its delivery. */
const nextPolls = { timeout: 14_000 };

/** A gateway over a ledger that tells a real server of notices. `spend` sends a request that costs this many millionths. */
async function noticedGateway(balances: Ledger, options: Partial<GatewayOptions> = {}) {
  const receiver = await noticeReceiver();
  const runs: Promise<unknown>[] = [];
  const real = webhookRunner({ allowedTargets: [receiver.target.host] });
  const runner: typeof real = {
    checkTarget: (url) => real.checkTarget(url),
    run: (request) => {
      const run = real.run(request);
      runs.push(run);
      return run;
    },
  };
  const tested = gatewayUnderTest({
    balances,
    plans: [
      { id: "prepaid", billing: "prepaid" },
      { id: "limited", billing: "prepaid", spend: { ...limit, window: "day" } },
    ],
    notices: { outbox: balances, runner, endpoints: [receiver.endpoint], lowBalance: "0.9999" },
    ...options,
  });
  onTestFinished(async () => {
    await tested.gateway.drain({ timeoutMs: 1_000 });
    await receiver.target.close();
  });
  const spend = async (secret: string, millionths: number) => {
    const usage = { prompt_tokens: millionths, completion_tokens: 0, total_tokens: millionths };
    tested.provider.script = { complete: async () => completionOf("Hi", usage) };
    return (await tested.chat(secret, { max_tokens: 1 })).status;
  };
  return { ...tested, receiver, runs, spend };
}

const thresholdsOf = ({ notices }: NoticeReceiver) =>
  notices.map(({ data }) => `${data["scope"]} ${data["threshold"]}`).toSorted();

function tellsOnce(title: string, open: () => Ledger): void {
  it(`${title}: each threshold of an account and of a key is one signed notice`, async () => {
    const balances = open();
    await balances.credit({ id: "rich", account: "rich", amount: 10_000_000_000n, reason: "test" });
    const { key, spend, receiver, gateway } = await noticedGateway(balances);
    const secret = await key({
      account: "rich",
      plan: "limited",
      spend: { window: "total", limit: 1_000_000n },
    });
    for (const cost of [150, 150, 150, 150, 150, 100, 150]) expect(await spend(secret, cost)).toBe(200);
    expect(await spend(secret, 1)).toBe(402);
    const wanted = ["account 100", "account 50", "account 80", "key 100", "key 50", "key 80"];
    await vi.waitFor(() => expect(thresholdsOf(receiver)).toEqual(wanted), nextPolls);
    await gateway.drain({ timeoutMs: 1_000 });
    expect(thresholdsOf(receiver)).toEqual(wanted);
    expect(new Set(receiver.notices.map(({ id }) => id)).size).toBe(6);
    expect(await balances.claimNotices({ limit: 10, leaseMs: 1 })).toEqual([]);
    const last = receiver.notices.find(({ data }) => data["scope"] === "account" && data["threshold"] === 100);
    expect(last).toMatchObject({
      type: "spend.threshold",
      data: { account: "rich", limit: "0.001", spent: "0.001", window: "day", timezone: "Asia/Tokyo" },
    });
    expect(String(last?.data["resets_at"])).toMatch(/T15:00:00.000Z$/);
  }, 60_000);

  it(`${title}: a low balance is one notice, and another after a credit`, async () => {
    const balances = open();
    const account = "modest";
    const credit = (id: string, amount: bigint) => balances.credit({ id, account, amount, reason: "test" });
    await credit("modest", 1_000_000_000n);
    const { key, spend, receiver } = await noticedGateway(balances);
    const secret = await key({ account });
    const lows = () => receiver.notices.filter(({ type }) => type === "balance.low");
    const told = () => lows().map(({ type, data }) => [type, data["posted"], data["below"]]);
    const first = ["balance.low", "0.99989", "0.9999"];
    for (const cost of [110, 10, 10]) expect(await spend(secret, cost)).toBe(200);
    await vi.waitFor(() => expect(told()).toEqual([first]), nextPolls);
    await credit("more", 200_000n);
    for (const cost of [10, 190, 10]) expect(await spend(secret, cost)).toBe(200);
    await vi.waitFor(() => expect(told()).toEqual([first, ["balance.low", "0.99987", "0.9999"]]), nextPolls);
    expect(await balances.claimNotices({ limit: 10, leaseMs: 1 })).toEqual([]);
  }, 60_000);

  it(`${title}: money that comes, returns or expires soon and a freeze are one signed notice each`, async () => {
    const balances = open();
    const account = "watched";
    const { key, spend, receiver } = await noticedGateway(balances);
    await balances.claimNotices({ limit: 1, leaseMs: 1 });
    const expiresAt = new Date(Date.now() + hour);
    await balances.credit({ id: "paid", account, amount: "2", reason: "order 17" });
    await balances.credit({ id: "gift", account, amount: "0.5", reason: "trial", kind: "granted", expiresAt });
    expect(await spend(await key({ account }), 150)).toBe(200);
    const { entries } = await balances.entries({ account, kind: "charge", limit: 1 });
    const sequence = entries[0]?.sequence ?? 0n;
    await balances.expire();
    await balances.refund({ account, sequence, amount: "0.00004", reason: "poor answer" });
    await balances.freeze(account, "dispute 17");
    await balances.thaw(account);
    const common = { account };
    const credited = (amount: string, kind: string, reason: string, expires_at: string | null) => ({
      type: "balance.credited",
      data: { ...common, amount, kind, reason, expires_at },
    });
    const expected = [
      credited("2", "paid", "order 17", null),
      credited("0.5", "granted", "trial", expiresAt.toISOString()),
      { type: "balance.expiring", data: { ...common, amount: "0.49985", expires_at: expiresAt.toISOString() } },
      {
        type: "charge.refunded",
        data: { ...common, amount: "0.00004", sequence: String(sequence), reason: "poor answer" },
      },
      { type: "account.frozen", data: { ...common, reason: "dispute 17" } },
      { type: "account.thawed", data: common },
    ];
    await vi.waitFor(async () => expect(await balances.waitingNotices()).toEqual({ count: 0 }), nextPolls);
    expect(receiver.notices.length).toBe(expected.length);
    for (const { type, data } of expected) {
      expect(receiver.notices).toContainEqual({ id: expect.any(String), timestamp: expect.any(String), type, data });
    }
  }, 60_000);
}

describe("notices", () => {
  tellsOnce("memory", memoryBalanceStore);
  tellsOnce("SQLite", () => sqliteBalanceStore(temporaryDatabase().connect()));
});

describeWithPostgres("notices in PostgreSQL", (database) => {
  tellsOnce("PostgreSQL", () => postgresBalanceStore(database.pool(), { schema: database.schema }));
});

describe("notices over days", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: noon }));
  afterEach(() => void vi.useRealTimers());

  /** Lets time pass until the next deliveries begin, and waits for their end in real time. */
  async function nextDeliveries(runs: readonly Promise<unknown>[]): Promise<void> {
    const before = runs.length;
    while (runs.length === before) await vi.advanceTimersToNextTimerAsync();
    await Promise.all(runs.slice(before));
    // The outbox is told of them before the clock moves on.
    await vi.advanceTimersByTimeAsync(0);
  }

  it("a receiver that is down for an hour gets each with the same id", async () => {
    const balances = memoryBalanceStore();
    balances.credit({ id: "rich", account: "rich", amount: 10_000_000_000n, reason: "test" });
    const { key, spend, receiver, runs } = await noticedGateway(balances);
    receiver.answer = (_notice, res) => void res.writeHead(Date.now() < noon + hour ? 503 : 204).end();
    const secret = await key({ account: "rich", plan: "limited" });
    for (const cost of [150, 150, 150, 150]) await spend(secret, cost);
    expect(thresholdsOf(receiver)).toEqual([]);
    for (const passed of [0, 10_000, 0.1 * hour, 0.7 * hour, 4 * hour]) {
      vi.setSystemTime(noon + passed);
      await nextDeliveries(runs);
    }
    expect(thresholdsOf(receiver)).toEqual(Array.from({ length: 5 }, () => "account 50"));
    expect(new Set(receiver.notices.map(({ id }) => id)).size).toBe(1);
    vi.setSystemTime(noon + 73 * hour);
    expect(balances.claimNotices({ limit: 10, leaseMs: 1 })).toEqual([]);
  });

  it("the next window of a limit has notices of its own", async () => {
    const balances = memoryBalanceStore();
    balances.credit({ id: "rich", account: "rich", amount: 10_000_000_000n, reason: "test" });
    const { key, spend, receiver, runs } = await noticedGateway(balances);
    const secret = await key({ account: "rich", plan: "limited" });
    for (const day of [0, 1]) {
      vi.setSystemTime(noon + day * 24 * hour);
      for (const cost of [150, 150, 150, 150]) await spend(secret, cost);
      await nextDeliveries(runs);
    }
    expect(thresholdsOf(receiver)).toEqual(["account 50", "account 50"]);
    expect(new Set(receiver.notices.map(({ data }) => data["resets_at"]))).toEqual(
      new Set(["2027-01-01T15:00:00.000Z", "2027-01-02T15:00:00.000Z"]),
    );
  });
});
