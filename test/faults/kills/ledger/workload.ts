import { randomInt, randomUUID } from "node:crypto";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Allowance } from "@tollgate/core/store";
import type { LedgerAnswer, LedgerCall, LotOfCredit } from "./calls.ts";
import { paid, type RecordedStore } from "./recorded-store.ts";

/** The load of one worker. */
export interface WorkloadOptions {
  readonly accounts: readonly string[];
  readonly leaseMs: number;
  /** The number of concurrent holds. */
  readonly loops: number;
  /** True: some credits are granted or expire while the workers run, holds have an allowance, and charges are refunded. */
  readonly lots?: boolean | undefined;
}

interface Hold {
  readonly id: string;
  readonly account: string;
  readonly amount: bigint;
}

/**
 * Creates holds until it is killed and ends them in every way: settled below, at and above their amount, in time and
 * late, twice, with another amount than before, released, or abandoned. It also renews, sweeps, and credits the account
 * when the balance is insufficient.
 */
export class Workload {
  readonly #running = new Map<Hold, bigint>();
  #background = 0;
  #renewing = false;

  constructor(
    private readonly store: RecordedStore,
    private readonly options: WorkloadOptions,
  ) {}

  run(): void {
    const { leaseMs, loops } = this.options;
    setInterval(() => void this.#renew(), leaseMs / 5);
    setInterval(() => void this.store.expire(), leaseMs / randomInt(4, 9));
    for (let loop = 0; loop < loops; loop++) void this.#loop();
  }

  /** Repeats the calls whose outcome a killed worker does not know. */
  repeat(calls: readonly LedgerCall[]): void {
    for (const call of calls) {
      if (call.verb === "settle") void untilAnswered(() => this.store.settle(call, call.amount));
      if (call.verb === "release") void untilAnswered(() => this.store.release(call));
      if (call.verb === "credit") void untilAnswered(() => this.store.credit(call.id, call.account, call.amount, call));
      if (call.verb === "refund") {
        void untilAnswered(() => this.store.refund(call.account, call.sequence, call.amount));
      }
    }
  }

  async #loop(): Promise<void> {
    for (;;) {
      await this.#live();
      // A store that returns synchronously would starve the timers.
      await setImmediate();
    }
  }

  async #live(): Promise<void> {
    const account = this.options.accounts[randomInt(this.options.accounts.length)] ?? "";
    const hold = { id: randomUUID(), account, amount: BigInt(randomInt(1, 1_000)) };
    const { outcome } = await this.#hold(hold);
    if (outcome === "held") await this.#end(hold);
    else if (chance(10)) await this.#payIn(account);
  }

  async #hold({ id, account, amount }: Hold): Promise<LedgerAnswer> {
    const allowance = this.options.lots === true ? daily : undefined;
    const answer = await this.store.hold(id, account, amount, allowance);
    if (answer.error === undefined) return answer;
    await sleep(50);
    return chance(50) ? untilAnswered(() => this.store.hold(id, account, amount, allowance)) : answer;
  }

  async #payIn(account: string): Promise<void> {
    const id = randomUUID();
    const amount = BigInt(randomInt(1_000, 10_000));
    const lot = this.options.lots === true ? anyLot() : paid;
    await untilAnswered(() => this.store.credit(id, account, amount, lot));
    if (chance(30)) await untilAnswered(() => this.store.credit(id, account, amount, lot));
  }

  async #refund({ account, id }: Hold): Promise<void> {
    const charge = (await this.store.entriesOf(account, id)).find(({ amount }) => amount < 0n);
    if (charge === undefined) return;
    const amount = BigInt(randomInt(1, Number(-charge.amount) + 1));
    await untilAnswered(() => this.store.refund(account, charge.sequence, amount));
  }

  async #end(hold: Hold): Promise<void> {
    const fate = randomInt(100);
    if (fate < 60) await this.#settleAndRefund(hold);
    else if (fate < 68) await this.#settleTwice(hold);
    else if (fate < 78) await this.#release(hold);
    else if (fate < 86) this.#inBackground(() => this.#runLong(hold));
    else if (fate < 91) this.#inBackground(() => this.#settleLate(hold));
    else if (fate < 96) await this.store.renew([{ id: hold.id, account: hold.account, used: partOf(hold) }]);
  }

  async #settleAndRefund(hold: Hold): Promise<void> {
    await this.#settle(hold);
    if (this.options.lots === true && chance(20)) await this.#refund(hold);
  }

  #settle(hold: Hold, cost = costOf(hold)): Promise<LedgerAnswer> {
    return untilAnswered(() => this.store.settle(hold, cost));
  }

  async #settleTwice(hold: Hold): Promise<void> {
    const cost = costOf(hold);
    await Promise.all([this.#settle(hold, cost), this.#settle(hold, cost)]);
    await this.#settle(hold, cost);
    await this.#settle(hold, cost + 1n);
    await untilAnswered(() => this.store.release(hold));
  }

  async #release(hold: Hold): Promise<void> {
    await untilAnswered(() => this.store.release(hold));
    if (chance(30)) await untilAnswered(() => this.store.release(hold));
    if (chance(30)) await this.#settle(hold);
  }

  async #runLong(hold: Hold): Promise<void> {
    this.#running.set(hold, 0n);
    const turns = randomInt(3, 12);
    for (let turn = 1; turn <= turns; turn++) {
      await sleep(this.options.leaseMs / 8);
      this.#running.set(hold, (hold.amount * BigInt(turn)) / BigInt(turns));
    }
    this.#running.delete(hold);
    await this.#settle(hold);
  }

  async #settleLate(hold: Hold): Promise<void> {
    if (chance(50)) await this.store.renew([{ id: hold.id, account: hold.account, used: partOf(hold) }]);
    await sleep(this.options.leaseMs * 1.5);
    await this.#settle(hold);
  }

  #inBackground(task: () => Promise<void>): void {
    // Waiting tasks have holds, which must not use up the whole balance.
    if (this.#background >= 20) return;
    this.#background++;
    void task().finally(() => this.#background--);
  }

  async #renew(): Promise<void> {
    const renewals = [...this.#running].map(([{ id, account }, used]) => ({ id, account, used }));
    // A store may skip a hold that another renewal has locked.
    if (renewals.length === 0 || this.#renewing) return;
    this.#renewing = true;
    await this.store.renew(renewals);
    this.#renewing = false;
  }
}

async function untilAnswered(make: () => Promise<LedgerAnswer>): Promise<LedgerAnswer> {
  for (;;) {
    const answer = await make();
    if (answer.error === undefined) return answer;
    await sleep(50);
  }
}

const daily: Allowance = { amount: 2_000n, window: "day" };

/** A lot that may expire while the workers run. */
function anyLot(): LotOfCredit {
  const kind = chance(50) ? "granted" : "paid";
  return chance(60) ? { kind, expiresAt: Date.now() + randomInt(1, 3_000) } : { kind };
}

function chance(percent: number): boolean {
  return randomInt(100) < percent;
}

function partOf({ amount }: Hold): bigint {
  return BigInt(randomInt(Number(amount) + 1));
}

function costOf(hold: Hold): bigint {
  const kind = randomInt(100);
  if (kind < 65) return partOf(hold);
  return kind < 90 ? hold.amount : hold.amount + BigInt(randomInt(1, 100));
}
