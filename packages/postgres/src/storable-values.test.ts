import { expect, it } from "vitest";
import { fundedAccount, holdRequest } from "../test-support/booking.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresStores } from "./index.ts";

const half = "a\ud800";

describeWithPostgres("text that PostgreSQL would change", ({ schema, pool }) => {
  const shared = pool();

  it("is rejected as the id of a hold, and the account stays usable", async () => {
    const { balances } = await postgresStores(shared, { schema });
    const account = await fundedAccount(balances, 10n);
    const held = (id: string) => balances.hold({ ...holdRequest(account, 1n), id });
    for (const id of [half, "a\0b"]) await expect(held(id)).rejects.toThrow(RangeError);
    // @ts-expect-error -- from JavaScript
    await expect(held(42)).rejects.toThrow(RangeError);
    expect((await balances.balance(account)).held).toBe(0n);
  });

  it("never merges two accounts or reasons", async () => {
    const { balances, keys, terms } = await postgresStores(shared, { schema });
    const posting = { id: crypto.randomUUID(), account: "a", amount: 1n, reason: "r" };
    for (const wrong of [{ account: half }, { id: half }, { reason: half }]) {
      await expect(balances.credit({ ...posting, ...wrong })).rejects.toThrow(RangeError);
    }
    await expect(balances.balance(half)).rejects.toThrow(RangeError);
    await expect(keys.create({ account: half, plan: "p" })).rejects.toThrow(RangeError);
    await expect(terms.accept(half, "v")).rejects.toThrow(RangeError);
    expect(await balances.balance("a\ufffd")).toMatchObject({ posted: 0n, held: 0n, available: 0n });
  });

  it("neither finds nor creates a session", async () => {
    const { sessions } = await postgresStores(shared, { schema });
    const newSession = { id: crypto.randomUUID(), account: "a", assistantId: "a-1", clientData: {}, ttlMs: 60_000 };
    for (const wrong of [{ id: half }, { account: half }, { assistantId: "a\0b" }]) {
      await expect(sessions.create({ ...newSession, ...wrong })).rejects.toThrow(RangeError);
    }
    const created = await sessions.create({ ...newSession, account: "a\ufffd" });
    if (created.outcome !== "created") throw new Error(created.outcome);
    const { session } = created;
    for (const ref of [
      { ...session, account: half },
      { ...session, id: half },
      { ...session, id: "a\0b" },
    ]) {
      expect(await sessions.find(ref)).toBeUndefined();
      expect(await sessions.merge(ref, [["a", 1]])).toEqual({ outcome: "unknown" });
      expect(await sessions.messages(ref, { limit: 1 })).toBeUndefined();
      expect(await sessions.delete(ref)).toBe(false);
    }
    expect(await sessions.find(session)).toEqual(session);
  });
});
