import { expect, it } from "vitest";
import { openSlice, slicedRequest } from "../../test-support/slicing.ts";
import { describeWithPostgres } from "../../test-support/with-postgres.ts";
import { postgresStores } from "../index.ts";
import { postgresPaymentStore } from "../payments.ts";

describeWithPostgres("stores with slices", ({ schema, pool }) => {
  const pools = [pool(), pool()] as const;
  const open = async () => {
    const [stores, other] = await Promise.all([
      postgresStores(pools[0], { schema, migrate: false, slices: { amount: "1.00", above: "0.00" } }),
      postgresStores(pools[1], { schema, migrate: false }),
    ]);
    const account = crypto.randomUUID();
    await other.balances.credit({ id: account, account, amount: "10.00", reason: "test" });
    const { key } = await other.keys.create({ account, plan: "prepaid" });
    // Slices end after a quarter of the lease, and are taken again.
    const request = { account, keyId: key.id, leaseMs: 400 };
    await openSlice(stores.balances, request);
    await expect.poll(async () => (await other.balances.balance(account)).held).toBeGreaterThan(0n);
    return { stores, other, account, key, hold: () => stores.balances.hold(slicedRequest(100n, request)) };
  };

  it("refuse a key that another process has revoked once its slice ends", async () => {
    const { stores, other, key, hold } = await open();
    await other.keys.revoke(key.id);
    await expect.poll(async () => (await hold()).outcome).toBe("key_refused");
    await stores.close();
  });

  it("refuse an account that another process has frozen once its slice ends", async () => {
    const { stores, other, account, hold } = await open();
    await other.balances.freeze(account, "dispute");
    await expect.poll(async () => (await hold()).outcome).toBe("frozen");
    await stores.close();
  });

  it("settle their slices when they are closed, and have the other methods of balances", async () => {
    const { stores, other, account } = await open();
    await stores.close();
    expect((await other.balances.balance(account)).held).toBe(0n);
    expect((await stores.balances.listAccounts({ limit: 1, prefix: account })).accounts).toHaveLength(1);
    expect(() => postgresPaymentStore(pools[0], { schema, balances: stores.balances })).not.toThrow();
    expect(await other.balances.verify()).toEqual([]);
  });
});
