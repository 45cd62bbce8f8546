import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BalanceStore, KeyAdmin, KeyStore, Limiter } from "@tollgate/core/store";
import { afterEach, expect, inject, it, vi } from "vitest";
import { plainHold } from "../../packages/core/test-support/receipts.ts";

const databaseUrl = inject("postgres");
const redisUrl = inject("redis");

afterEach(() => vi.unstubAllEnvs());

it("the guide's stores in SQLite create a key and hold on its account", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-readme-"));
  vi.stubEnv("DATABASE_FILE", join(folder, "tollgate.db"));
  await expectHold(await import("../../examples/shop/src/gateway.ts"));
  rmSync(folder, { recursive: true });
});

it.skipIf(databaseUrl === undefined)(
  "the guide's stores in PostgreSQL do the same, count limits, announce revoked keys, and have slices (needs PostgreSQL)",
  async () => {
    vi.stubEnv("DATABASE_URL", databaseUrl);
    const { pool, ...stores } = await import("../../examples/mounts/src/stores-in-postgres.ts");
    await expectHold(stores);
    await expectCount(stores.limiter);
    const announced = await import("../../examples/mounts/src/stores-with-notifications.ts");
    const { key } = await stores.keys.create({ account: "announced", plan: "prepaid" });
    const changed = new Promise((resolve) => announced.keys.onChange(resolve));
    await stores.keys.revoke(key.id);
    expect(await changed).toBe(key.id);
    await announced.close();
    const sliced = await import("../../examples/mounts/src/stores-with-slices.ts");
    await expectHold(sliced);
    await sliced.close();
    await pool.end();
  },
);

it.skipIf(redisUrl === undefined)("the guide's limits in Redis count (needs Redis)", async () => {
  vi.stubEnv("REDIS_URL", redisUrl);
  const { limiter, redis } = await import("../../examples/mounts/src/limits-in-redis.ts");
  await expectCount(limiter);
  redis.destroy();
});

async function expectCount(limiter: Limiter): Promise<void> {
  const count = await limiter.countRequest(crypto.randomUUID(), { limit: 3, windowSeconds: 1 });
  expect(count).toMatchObject({ granted: true, state: { limit: 3, remaining: 2 } });
}

async function expectHold({ keys, balances }: { keys: KeyStore & KeyAdmin; balances: BalanceStore }): Promise<void> {
  const account = `readme-${crypto.randomUUID()}`;
  const { key, secret } = await keys.create({ account, plan: "prepaid" });
  expect(secret).toMatch(/^acme_/);
  await balances.credit({ id: crypto.randomUUID(), account, amount: 10n, reason: "test" });
  const hold = { account, amount: 10n, leaseMs: 60_000, ...plainHold };
  const held = await balances.hold({ ...hold, id: crypto.randomUUID(), keyId: key.id });
  expect(held).toMatchObject({ outcome: "held", balance: { available: 0n } });
  const other = await balances.hold({ ...hold, id: crypto.randomUUID(), keyId: "another" });
  expect(other).toEqual({ outcome: "key_refused" });
}
