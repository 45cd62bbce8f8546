import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore } from "@tollgate/core/store";
import { chargeReceipt, plainHold } from "../../../packages/core/test-support/receipts.ts";

/** The number of operations of a run. */
export const operationCount = 200;

/** One call of a balance store: returns its outcome. */
type Operation = (store: BalanceStore, now: number) => Awaitable<string>;

const beginning = Date.UTC(2030, 0, 1);

/** Returns the time of an operation, in milliseconds since the Unix epoch: there are three seconds between two of them. */
export const timeOf = (operation: number): number => beginning + operation * 3_000;

/** Makes one call of the run, at its time. The same calls on another store have the same outcomes. */
export function operate(store: BalanceStore, operation: number): Awaitable<string> {
  const round = rounds[Math.floor(operation / roundLength)];
  const call = round?.[operation % roundLength];
  if (call === undefined) throw new Error(`There is no operation ${operation}.`);
  return call(store, timeOf(operation));
}

const roundLength = 20;

/** The account of a run, as `stateOf` reads it. */
const account = "account run";

/** A round of a minute: two requests, an abandoned one that is settled late, charges of the host, and money that expires. */
const roundOf = (round: number): readonly Operation[] => {
  const id = (name: string) => `${name} ${round}`;
  return [
    credit(id("credit"), 1_000n),
    (store, now) => credit(id("gift"), 500n, { kind: "granted", expiresAt: new Date(now + 40_000) })(store, now),
    hold(id("first"), 200n, 60_000),
    hold(id("second"), 100n, 60_000),
    renew([id("first"), 50n], [id("second"), 20n]),
    settle(id("first"), 150n),
    settle(id("first"), 150n),
    release(id("second")),
    hold(id("lost"), 120n, 5_000),
    renew([id("lost"), 60n]),
    debit(id("fee"), 10n),
    refund(id("first"), 30n),
    expire,
    settle(id("lost"), round % 2 === 0 ? 90n : 40n),
    hold(id("dear"), 80n, 60_000),
    settle(id("dear"), 100n),
    flexibleHold(id("open")),
    settle(id("open"), 70n),
    credit(id("credit"), 1_000n),
    expire,
  ];
};

const credit =
  (
    id: string,
    amount: bigint,
    lot: Pick<Parameters<BalanceStore["credit"]>[0], "kind" | "expiresAt"> = {},
  ): Operation =>
  async (store) =>
    (await store.credit({ id, account, amount, reason: "top-up", ...lot })).outcome;

const debit =
  (id: string, amount: bigint): Operation =>
  async (store) =>
    (await store.debit({ id, account, amount, reason: "fee" })).outcome;

const hold =
  (id: string, amount: bigint, leaseMs: number): Operation =>
  async (store) =>
    (await store.hold({ ...plainHold, id, account, keyId: "key run", amount, leaseMs })).outcome;

const flexibleHold =
  (id: string): Operation =>
  async (store) => {
    const amounts = { amount: 5_000n, flexible: { least: 10n, floor: 400n } };
    return (await store.hold({ ...plainHold, id, account, keyId: "key run", leaseMs: 60_000, ...amounts })).outcome;
  };

const renew =
  (...used: readonly (readonly [id: string, used: bigint])[]): Operation =>
  async (store) => {
    const renewals = used.map(([id, amount]) => ({ id, account, used: amount }));
    return `renewed ${(await store.renew(renewals, 5_000)).length}`;
  };

const settle =
  (id: string, amount: bigint): Operation =>
  async (store) =>
    (await store.settle({ id, account }, amount, chargeReceipt)).outcome;

const release =
  (id: string): Operation =>
  async (store) =>
    (await store.release({ id, account })).outcome;

const expire: Operation = async (store) => `swept ${await store.expire()}`;

const refund =
  (hold: string, amount: bigint): Operation =>
  async (store) => {
    const { entries } = await store.entries({ account, reference: hold, limit: 1 });
    return (await store.refund({ account, sequence: entries[0]?.sequence ?? 0n, amount, reason: "poor answer" }))
      .outcome;
  };

const rounds = Array.from({ length: operationCount / roundLength }, (_, round) => roundOf(round));
