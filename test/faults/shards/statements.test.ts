import { randomInt } from "node:crypto";
import { type ShardedStores, shardedStores } from "@tollgate/postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { type FullAccount, fillAccount, readAccount } from "../../../packages/postgres/test-support/full-account.ts";
import { plainHold } from "../../../packages/postgres/test-support/receipts.ts";
import { shardDatabases } from "../../../packages/postgres/test-support/shard-databases.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { moveWithPatience } from "./move-with-patience.ts";
import { StoppedMover } from "./stopped-mover.ts";

/** The short form stops before every so many statements, from another one in each run. */
const steps = { long: { killed: 1, suspended: 1 }, short: { killed: 40, suspended: 100 } }[form];

describe("a process that moves an account and is", () => {
  const databases = shardDatabases("a", "b");
  let stores: ShardedStores;
  let full: FullAccount;
  let before: Awaited<ReturnType<typeof readAccount>>;
  beforeAll(async () => {
    stores = await shardedStores({ directory: databases.pool("a"), shards: databases.pools() });
    full = await fillAccount(stores, "moving");
    before = await readAccount(stores, full);
  }, 60_000);

  /** The shard that the directory names: the stores may remember another one. */
  const placed = async (): Promise<string | undefined> => {
    const { rows } = await databases.pool("a").query("SELECT shard FROM tollgate.directory_account");
    return rows[0]?.shard;
  };
  const endLease = () => databases.pool("a").query("UPDATE tollgate.directory_move SET leased_until = '-infinity'");

  it.each(["killed", "suspended"] as const)(
    "%s before a statement loses and repeats nothing, whichever statement it is",
    async (ending) => {
      const step = steps[ending];
      const first = 1 + randomInt(step);
      const counts = { first, step, stops: 0, undone: 0, finished: 0 };
      for (let at = first, isStopped = true; isStopped; at += step) {
        const to = (await placed()) === "a" ? "b" : "a";
        const mover = new StoppedMover(at, ending);
        const moving = await shardedStores({
          directory: mover.wrap(databases.pool("a")),
          shards: { a: mover.wrap(databases.pool("a")), b: mover.wrap(databases.pool("b")) },
          migrate: false,
        });
        mover.arm();
        // A process that has not begun yet finds the account where it shall be.
        const moved = moving.shards.move(full.account, to).then(
          ({ from }) => (from === to ? "there" : "moved"),
          () => "failed",
        );
        isStopped = (await Promise.race([moved, mover.stopped])) !== "moved";
        if (isStopped) {
          counts.stops++;
          await endLease();
          // The sweep of any gateway makes the account usable again.
          await stores.balances.expire();
          await expectUsable();
          const isMoved = (await placed()) === to;
          if (isMoved) counts.finished++;
          else counts.undone++;
          await moveWithPatience(stores, full.account, to);
          mover.resume();
          const outcome = await moved;
          // At its last statement, the account is moved, and another process has removed the record.
          if (!isMoved) expect(outcome).not.toBe("moved");
        }
        expect(await placed()).toBe(to);
        await expectUsable();
        expect(await readAccount(stores, full)).toEqual(before);
        expect(await stores.balances.verify()).toEqual([]);
      }
      printFigures(`Moves whose process is ${ending}`, counts);
      expect(counts.stops * step).toBeGreaterThan(60);
      if (step < 60) expect([counts.finished, counts.undone]).not.toContain(0);
    },
    form === "long" ? 3_600_000 : 300_000,
  );

  async function expectUsable(): Promise<void> {
    const { account } = full;
    const id = crypto.randomUUID();
    const request = { ...plainHold, id, account, keyId: undefined, amount: 1n, leaseMs: 60_000 };
    const job = { requestId: "job", description: "job" };
    expect((await stores.balances.hold({ ...request, receipt: job })).outcome).toBe("held");
    expect((await stores.balances.release({ id, account })).outcome).toBe("ended");
  }
});
