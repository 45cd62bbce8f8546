import type { Hold, MemoryAccount } from "../../packages/core/src/memory/memory-accounts.ts";
import { MemoryHolds } from "../../packages/core/src/memory/memory-holds.ts";
import { MemoryLedger, newLot } from "../../packages/core/src/memory/memory-ledger.ts";
import { MemoryNotices } from "../../packages/core/src/memory/memory-notices.ts";
import { MemoryPostings } from "../../packages/core/src/memory/memory-postings.ts";
import { MemorySpend } from "../../packages/core/src/memory/memory-spend.ts";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { clock } from "./clock.ts";
import { account, beginning, creditOf, holdRequest, type Operation, stepMs } from "./operation.ts";

/** The parts of a memory balance store that change a ledger. */
export interface LedgerParts {
  readonly ledger: MemoryLedger;
  readonly holds: Pick<MemoryHolds, "hold" | "renew" | "settle" | "release" | "expire" | "pending">;
  readonly postings: Pick<MemoryPostings, "credit">;
}

const keep = 10_000;

/** Makes the parts of a new ledger as `memoryBalanceStore` does. */
export function memoryParts(newLedger = (notices: MemoryNotices) => new MemoryLedger(keep, notices)): LedgerParts {
  const notices = new MemoryNotices();
  const ledger = newLedger(notices);
  const holds = new MemoryHolds(ledger, new MemorySpend(), notices, keep);
  return { ledger, holds, postings: new MemoryPostings(ledger, notices, keep) };
}

/** A ledger with a balance of 3, of which 2 are paid and 1 is granted. It sets the clock to its own time. */
export class ExploredLedger {
  /** Every hold that was placed, by its id, also after its end. */
  readonly holds: ReadonlyMap<string, Hold>;
  /** How many steps of time have passed. */
  steps = 0;
  readonly parts: LedgerParts;
  readonly #holds = new Map<string, Hold>();

  constructor(parts: LedgerParts) {
    this.parts = parts;
    this.holds = this.#holds;
    clock.now = beginning;
    this.#credit("paid", 2n);
    this.#credit("granted", 1n, "granted");
  }

  get account(): MemoryAccount {
    return this.parts.ledger.accounts.open(account);
  }

  /** Milliseconds since the Unix epoch. */
  get now(): number {
    return beginning + this.steps * stepMs;
  }

  /** Lets what is due of the lots expire, as the next call of a store would. */
  lapse(): void {
    this.parts.ledger.current(account, this.now);
  }

  /** Takes an operation, and returns its outcome. */
  take(operation: Operation): string {
    const { holds, postings } = this.parts;
    // The clock may show the time of another ledger.
    clock.now = this.now;
    switch (operation.verb) {
      case "hold":
        return this.#hold(operation.id, operation.amount);
      case "renew": {
        const { id, amount: used } = operation;
        const { leaseMs } = holdRequest(id, used);
        return holds.renew([{ id, account, used }], leaseMs).includes(id) ? "renewed" : "not renewed";
      }
      case "settle":
        return holds.settle({ id: operation.id, account }, operation.amount, chargeReceipt).outcome;
      case "release":
        return holds.release({ id: operation.id, account }).outcome;
      case "expire":
        return holds.expire() > 0 ? "swept" : "nothing to sweep";
      case "credit":
        return postings.credit(creditOf(operation.id, operation.amount)).outcome;
      case "pass":
        this.steps += 1;
        clock.now = this.now;
        return "passed";
    }
  }

  /** Does what the store does with a credit that it has checked, which would take a third of the time of the exploration. */
  #credit(reference: string, amount: bigint, kind?: "granted"): void {
    const { ledger } = this.parts;
    const lots = kind && newLot(this.account, { id: reference, kind, expiresAt: undefined }, amount);
    ledger.add(this.account, { ...ledger.blank(), kind: "credit", amount, reference, reason: "beginning", lots });
  }

  #hold(id: string, amount: bigint): string {
    const { outcome } = this.parts.holds.hold(holdRequest(id, amount));
    if (!this.#holds.has(id)) for (const hold of this.parts.holds.pending()) this.#holds.set(hold.id, hold);
    return outcome;
  }
}
