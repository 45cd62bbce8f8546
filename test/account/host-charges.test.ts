import { type Gateway, type GatewayOptions, parseAmount } from "@tollgate/core";
import type { Entry, NewKey } from "@tollgate/core/store";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { gatewayUnderTest, termsUnderTest } from "../support/gateway-under-test.ts";
import { type ChargingStores, charging } from "./charging-stores.ts";
import { read } from "./reading.ts";

const databaseUrl = inject("postgres");

const image = { description: "An image of 1024 by 1024 pixels", metadata: { size: "1024x1024" } };

interface Shop {
  readonly gateway: Gateway;
  readonly account: string;
  issue(wanted?: Partial<NewKey>): Promise<{ readonly id: string; readonly secret: string }>;
  balance(): Promise<readonly [posted: bigint, held: bigint]>;
  ledger(): Promise<readonly Entry[]>;
}

describe("charges of the host on memory", () => charges("memory"));
describe("charges of the host on SQLite", () => charges("SQLite"));
describe.skipIf(databaseUrl === undefined)("charges of the host on PostgreSQL", () => charges("PostgreSQL"));

function charges(kind: keyof typeof charging): void {
  const gateways: Gateway[] = [];
  let stores: ChargingStores;
  beforeAll(async () => {
    stores = await charging[kind](databaseUrl);
  });
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.drain({ timeoutMs: 0 });
  });
  afterAll(() => stores.close());

  function gatewayOf(options: Partial<GatewayOptions> = {}): Gateway {
    const { gateway } = gatewayUnderTest({ keys: stores.keys, balances: stores.balances, ...options });
    gateways.push(gateway);
    return gateway;
  }

  /** A gateway on these stores, with an account that has 10. */
  async function open(options: Partial<GatewayOptions> = {}): Promise<Shop> {
    const gateway = gatewayOf(options);
    const account = `account-${crypto.randomUUID()}`;
    await stores.balances.credit({ id: account, account, amount: "10", reason: "top-up" });
    return {
      gateway,
      account,
      async issue(wanted = {}) {
        const { key, secret } = await stores.keys.create({ account, plan: "prepaid", ...wanted });
        return { id: key.id, secret };
      },
      async balance() {
        const { posted, held } = await stores.balances.balance(account);
        return [posted, held];
      },
      ledger: async () => (await stores.balances.entries({ account, limit: 100 })).entries.slice(1),
    };
  }

  it("take an amount at once, with a receipt that the customer can read", async () => {
    const shop = await open();
    const key = await shop.issue();
    const { id, amount } = await shop.gateway.charges.charge({
      account: shop.account,
      keyId: key.id,
      amount: "0.04",
      ...image,
    });
    expect(amount).toBe(40_000_000n);
    expect(await shop.balance()).toEqual([parseAmount("9.96"), 0n]);
    const [entry] = await shop.ledger();
    expect(entry).toMatchObject({ kind: "charge", amount: -40_000_000n, reference: id });
    expect(entry?.receipt).toEqual({ requestId: id, keyId: key.id, ...image });
    const { status, body } = await read(shop, key.secret, `/generation?id=${id}`);
    expect([status, body.receipt]).toMatchObject([
      200,
      { request_id: id, key: key.id, model: null, dialect: null, cost: "0.04", ...image },
    ]);
    const credits = await read(shop, key.secret, "/credits");
    expect(credits.body.totals.used).toBe("0.04");
  });

  it("hold an amount, and settle what it cost or release it", async () => {
    const shop = await open();
    const job = { account: shop.account, amount: parseAmount("4"), description: "A film" };
    const first = await shop.gateway.charges.hold(job);
    const second = await shop.gateway.charges.hold(job);
    expect(await shop.balance()).toEqual([parseAmount("10"), parseAmount("8")]);
    expect([shop.gateway.inFlight(), shop.gateway.inspect().holds]).toEqual([2, 2]);
    await expect(shop.gateway.charges.hold(job)).rejects.toMatchObject({
      code: "insufficient_balance",
      message: "This request may cost up to 4, but only 2 is available. Top up the balance.",
      details: { metadata: { requested: "4", available: "2" } },
    });
    const { settle } = first;
    await settle("3.5");
    await second.release();
    expect(await shop.balance()).toEqual([parseAmount("6.5"), 0n]);
    expect([shop.gateway.inFlight(), shop.gateway.inspect().holds]).toEqual([0, 0]);
    const [entry, ...others] = await shop.ledger();
    expect(others).toEqual([]);
    expect(entry?.receipt).toEqual({ requestId: first.id, description: "A film" });
  });

  it("are charged once for an id, also by another process, and by accounts apart", async () => {
    const shop = await open();
    const again = gatewayOf();
    const order = { account: shop.account, id: "order-17", amount: "1", description: "An order" };
    const made = await shop.gateway.charges.charge(order);
    const repeated = await Promise.all([again.charges.charge(order), shop.gateway.charges.charge(order)]);
    expect(repeated).toEqual([made, made]);
    expect(await shop.balance()).toEqual([parseAmount("9"), 0n]);
    await expect(shop.gateway.charges.charge({ ...order, amount: "2" })).rejects.toMatchObject({ code: "conflict" });
    await expect(again.charges.hold(order)).rejects.toMatchObject({ code: "conflict" });
    expect([again.inFlight(), shop.gateway.inFlight()]).toEqual([0, 0]);
    expect(await shop.balance()).toEqual([parseAmount("9"), 0n]);
    const other = `other-${shop.account}`;
    await stores.balances.credit({ id: other, account: other, amount: "1", reason: "top-up" });
    const theirs = await shop.gateway.charges.charge({ ...order, account: other });
    expect(theirs.id).not.toBe(made.id);
  });

  it("conflict with a charge of their id that was settled with less, or released", async () => {
    const shop = await open();
    const { charges } = shop.gateway;
    const common = { account: shop.account, amount: "1", description: "A film" };
    const [less, none] = [
      { ...common, id: "less" },
      { ...common, id: "none" },
    ];
    await (await charges.hold(less)).settle("0.4");
    await (await charges.hold(none)).release();
    for (const order of [less, none]) {
      await expect(charges.charge(order)).rejects.toMatchObject({ code: "conflict" });
      await expect(charges.hold(order)).rejects.toMatchObject({ code: "conflict" });
    }
    expect(await shop.balance()).toEqual([parseAmount("9.6"), 0n]);
  });

  it("obey the spend limits of the account, of the plan and of the key", async () => {
    const plans = [{ id: "prepaid", billing: "prepaid", spend: { limit: "3", window: "total" } }] as const;
    const shop = await open({ plans });
    const { charges } = shop.gateway;
    const key = await shop.issue({ spend: { limit: "1", window: "day" } });
    const other = await shop.issue();
    const job = { account: shop.account, description: "A job" };
    const reached = (scope: string, remaining: string) => ({
      code: "spend_limit_reached",
      details: { metadata: { scope, remaining } },
    });
    await charges.charge({ ...job, keyId: key.id, amount: "0.75" });
    await expect(charges.charge({ ...job, keyId: key.id, amount: "0.5" })).rejects.toMatchObject(
      reached("key", "0.25"),
    );
    await charges.charge({ ...job, keyId: other.id, amount: "2" });
    await expect(charges.charge({ ...job, keyId: other.id, amount: "1" })).rejects.toMatchObject(
      reached("account", "0.25"),
    );
    // Without a key there is no plan.
    await charges.charge({ ...job, amount: "1" });
    await stores.balances.limitSpend(shop.account, { limit: "3", window: "total" });
    await expect(charges.charge({ ...job, amount: "1" })).rejects.toMatchObject(reached("account", "0.25"));
  });

  it("are paid from the allowance of the plan of their key, and from the balance whatever the plan bills", async () => {
    const allowance = { amount: "1", window: "month" } as const;
    const plans = [
      { id: "starter", billing: "prepaid", allowance },
      { id: "subscription", billing: "none" },
    ] as const;
    const shop = await open({ plans });
    const { charges } = shop.gateway;
    const starter = await shop.issue({ plan: "starter" });
    const subscription = await shop.issue({ plan: "subscription" });
    const job = { account: shop.account, description: "A job" };
    await charges.charge({ ...job, keyId: subscription.id, amount: "9.5" });
    await expect(charges.charge({ ...job, amount: "1.25" })).rejects.toMatchObject({ code: "insufficient_balance" });
    await charges.charge({ ...job, keyId: starter.id, amount: "1.25" });
    expect(await shop.balance()).toEqual([parseAmount("0.25"), 0n]);
  });

  it("are refused for frozen accounts, missing terms, and keys that are no longer valid", async () => {
    const shop = await open({ terms: { store: stores.terms, versions: termsUnderTest().versions } });
    const { charges } = shop.gateway;
    const key = await shop.issue();
    const job = { account: shop.account, keyId: key.id, amount: "1", description: "A job" };
    const codeOf = (wanted: object) => charges.charge({ ...job, ...wanted }).then(String, ({ code }) => code);
    expect(await codeOf({})).toBe("terms_acceptance_required");
    await shop.gateway.terms.accept(shop.account, "terms-2");
    await charges.charge(job);
    const stranger = await stores.keys.create({ account: "stranger", plan: "prepaid" });
    expect(await codeOf({ keyId: stranger.key.id })).toBe("invalid_api_key");
    expect(await codeOf({ keyId: "none" })).toBe("invalid_api_key");
    await stores.balances.freeze(shop.account, "dispute");
    expect(await codeOf({})).toBe("account_frozen");
    await stores.balances.thaw(shop.account);
    await stores.keys.revoke(key.id);
    expect(await codeOf({})).toBe("revoked_api_key");
    expect(await shop.balance()).toEqual([parseAmount("9"), 0n]);
  });

  it("hold no more than the balance, however many ask at once", async () => {
    const shop = await open({ storeTimeoutMs: 20_000 });
    const job = { account: shop.account, amount: "1", description: "A job" };
    const holds = await Promise.allSettled(Array.from({ length: 100 }, () => shop.gateway.charges.hold(job)));
    const granted = holds.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    expect(granted).toHaveLength(10);
    await Promise.all(granted.map((hold, at) => (at % 2 === 0 ? hold.settle("1") : hold.release())));
    expect(await shop.balance()).toEqual([parseAmount("5"), 0n]);
    expect(await stores.balances.verify()).toEqual([]);
  });

  it("expire when nobody ends them, charge what was used, and can be settled late", async () => {
    const shop = await open({ money: { leaseMs: 400, heartbeatMs: 50 } });
    const hold = await shop.gateway.charges.hold({
      account: shop.account,
      amount: "2",
      description: "A job",
      keepMs: 60,
    });
    await hold.extend({ used: "0.5" });
    await expect.poll(shop.balance, { timeout: 8_000 }).toEqual([parseAmount("9.5"), 0n]);
    expect(shop.gateway.inFlight()).toBe(0);
    await hold.settle("1.25");
    expect(await shop.balance()).toEqual([parseAmount("8.75"), 0n]);
    expect((await shop.ledger()).map((entry) => [entry.kind, entry.receipt?.description])).toEqual([
      ["expiry", "A job"],
      ["late", "A job"],
    ]);
  });
}
