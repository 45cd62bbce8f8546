import { type ShardedStores, shardedStores } from "@tollgate/postgres";
import { describe, expect, it } from "vitest";
import { plainHold } from "../../../packages/postgres/test-support/receipts.ts";
import { shardDatabases } from "../../../packages/postgres/test-support/shard-databases.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { moveWithPatience } from "./move-with-patience.ts";

const { moves, entries } = { long: { moves: 10, entries: 50_000 }, short: { moves: 5, entries: 1_000 } }[form];
const loops = 8;

describe("an account that is moved while it is busy", () => {
  const databases = shardDatabases("a", "b");
  const open = () => shardedStores({ directory: databases.pool("a"), shards: databases.pools() });

  it(`is refused only while it is frozen, for less than 2 s, and other accounts never: ${moves} moves`, async () => {
    const [stores, other] = [await open(), await open()];
    const [moving, staying] = [new BusyAccount(other, "moving"), new BusyAccount(other, "staying")];
    await Promise.all([moving.fund(), staying.fund()]);
    await databases.pool((await stores.shards.shardOf("moving")) === "a" ? "a" : "b").query(
      `WITH added AS (
         INSERT INTO tollgate.entry (account_id, kind, amount, reference, reason, uncounted)
         SELECT 'moving', 'credit', 1, 'credit ' || number, 'top-up', NULL FROM generate_series(1, $1) AS number
         RETURNING amount
       )
       UPDATE tollgate.account SET posted = posted + $1, credited = credited + $1, funded = funded + $1 WHERE id = 'moving'`,
      [entries],
    );
    const work = Array.from({ length: loops }, () => [moving.work(), staying.work()]).flat();
    const frozen: number[] = [];
    for (let count = 0; count < moves; count++) {
      await moving.chargeMore(20);
      const to = (await stores.shards.shardOf("moving")) === "a" ? "b" : "a";
      frozen.push((await moveWithPatience(stores, "moving", to)).frozenMs);
    }
    for (const account of [moving, staying]) account.stop();
    await Promise.all(work);
    frozen.sort((one, next) => one - next);
    printFigures("Moves of a busy account", {
      moves,
      entries: entries + moving.charges,
      "ms frozen, median": Math.round(frozen[moves >> 1] ?? 0),
      "ms frozen, longest": Math.round(frozen.at(-1) ?? 0),
      "ms refused, longest": Math.round(moving.longestRefusalMs),
      "calls refused": moving.refusals,
      "calls of the other account": staying.charges,
      "refused of the other account": staying.refusals,
    });
    expect([...new Set([...moving.errors, ...staying.errors])]).toEqual([]);
    expect(staying.refusals).toBe(0);
    expect(await posted(other, "moving")).toBe(1_000_000n + BigInt(entries - moving.charges));
    expect(await posted(other, "staying")).toBe(1_000_000n - BigInt(staying.charges));
    expect(await stores.balances.verify()).toEqual([]);
  }, 600_000);
});

const posted = async ({ balances }: ShardedStores, account: string) => (await balances.balance(account)).posted;

/** An account that is charged 1 nano-unit again and again. */
class BusyAccount {
  charges = 0;
  refusals = 0;
  longestRefusalMs = 0;
  /** Errors other than that the account moves. */
  readonly errors: string[] = [];
  readonly #stores: ShardedStores;
  readonly #account: string;
  #refusedSince: number | undefined;
  #stopped = false;

  constructor(stores: ShardedStores, account: string) {
    this.#stores = stores;
    this.#account = account;
  }

  async fund(): Promise<void> {
    const credit = { id: crypto.randomUUID(), account: this.#account, amount: 1_000_000n, reason: "top-up" };
    await this.#stores.balances.credit(credit);
  }

  async work(): Promise<void> {
    while (!this.#stopped) await this.#charge();
  }

  /** Resolves after so many more charges. */
  async chargeMore(count: number): Promise<void> {
    const until = this.charges + count;
    while (this.charges < until) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  stop(): void {
    this.#stopped = true;
  }

  async #charge(): Promise<void> {
    const { balances } = this.#stores;
    const key = { id: crypto.randomUUID(), account: this.#account };
    const receipt = { requestId: "job", description: "job" };
    const hold = { ...plainHold, ...key, keyId: undefined, receipt, amount: 1n, leaseMs: 60_000 };
    const { outcome } = await this.#untilServed(() => balances.hold(hold));
    if (outcome !== "held") this.errors.push(`A hold was answered with ${outcome}.`);
    const end = await this.#untilServed(() => balances.settle(key, 1n, undefined));
    if (end.outcome !== "ended") this.errors.push(`A settlement was answered with ${end.outcome}.`);
    this.charges++;
  }

  async #untilServed<Result>(call: () => PromiseLike<Result> | Result): Promise<Result> {
    for (;;) {
      try {
        const result = await call();
        this.#endRefusal();
        return result;
      } catch (error) {
        if (!String(error).includes("is being moved")) this.errors.push(String(error));
        this.refusals++;
        this.#refusedSince ??= performance.now();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
  }

  #endRefusal(): void {
    if (this.#refusedSince === undefined) return;
    this.longestRefusalMs = Math.max(this.longestRefusalMs, performance.now() - this.#refusedSince);
    this.#refusedSince = undefined;
  }
}
