import type { MemoryAccount } from "../../packages/core/src/memory/memory-accounts.ts";
import type { LedgerEntry } from "../../packages/core/src/memory/memory-entries.ts";
import { MemoryLedger } from "../../packages/core/src/memory/memory-ledger.ts";
import { orNone } from "../../packages/core/src/memory/memory-postings.ts";
import { takeFromLots } from "../../packages/core/src/money/lots.ts";
import { type LedgerParts, memoryParts } from "./explored-ledger.ts";
import { account as accountId } from "./operation.ts";

/** Faults that an exploration has to find: each makes the parts of a ledger that has one. */
export const plantedFaults: Readonly<Record<string, () => LedgerParts>> = {
  "a repeated settlement is charged again": () =>
    changed(({ ledger, holds }) => ({
      settle: (hold, amount, receipt) => {
        const result = holds.settle(hold, amount, receipt);
        if (result.outcome === "repeated") charge(ledger, "charge", hold.id, amount);
        return result;
      },
    })),

  "a hold is granted without regard to what is held": () =>
    changed(({ ledger, holds }) => ({
      hold: (request) => withoutHeld(ledger.accounts.open(accountId), () => holds.hold(request)),
    })),

  "an expiry is charged twice": () =>
    changed(({ ledger, holds }) => ({
      expire: () => {
        const due = [...holds.pending()].filter(({ expiresAt }) => expiresAt <= Date.now());
        const ended = holds.expire();
        for (const { id, used } of due) charge(ledger, "expiry", id, used);
        return ended;
      },
    })),

  "an expiry keeps what was held": () =>
    changed(({ ledger, holds }) => ({
      expire: () => {
        const due = [...holds.pending()].filter(({ expiresAt }) => expiresAt <= Date.now());
        const ended = holds.expire();
        for (const { held } of due) ledger.accounts.open(accountId).held += held;
        return ended;
      },
    })),

  "a late settlement is charged in full": () =>
    changed(({ ledger, holds }) => ({
      settle: (hold, amount, receipt) => {
        const result = holds.settle(hold, amount, receipt);
        if (result.outcome === "late") charge(ledger, "late", hold.id, amount);
        return result;
      },
    })),

  "the release of a hold that has ended frees an amount again": () =>
    changed(({ ledger, holds }) => ({
      release: (hold) => {
        const result = holds.release(hold);
        if (result.outcome === "repeated" || result.outcome === "conflict") ledger.accounts.open(accountId).held -= 1n;
        return result;
      },
    })),

  "a renewal renews nothing": () =>
    changed(({ holds }) => ({
      renew: (renewals) =>
        renewals.map(({ id }) => id).filter((id) => [...holds.pending()].some((hold) => hold.id === id)),
    })),

  "a renewal reduces what was used": () =>
    changed(({ holds }) => ({
      renew: (renewals, leaseMs) => {
        const renewed = holds.renew(renewals, leaseMs);
        for (const hold of holds.pending()) hold.used = renewals.find(({ id }) => id === hold.id)?.used ?? hold.used;
        return renewed;
      },
    })),

  "a repeated credit is posted again": () => {
    const parts = memoryParts();
    const { ledger, postings } = parts;
    const credit: LedgerParts["postings"]["credit"] = (posting) => {
      const result = postings.credit(posting);
      if (result.outcome === "repeated") add(ledger, { kind: "credit", reference: posting.id, amount: result.amount });
      return result;
    };
    return { ...parts, postings: { credit } };
  },

  "a lot pays more than it has": () =>
    memoryParts(
      (notices) =>
        new (class extends MemoryLedger {
          override add(account: MemoryAccount, entry: LedgerEntry): void {
            super.add(account, entry.amount < 0n ? { ...entry, lots: entry.lots?.map(oneMore) } : entry);
          }
        })(10_000, notices),
    ),

  "a lot expires although a hold needs it": () =>
    memoryParts(
      (notices) =>
        new (class extends MemoryLedger {
          override lapse(account: MemoryAccount, now: number): void {
            withoutHeld(account, () => super.lapse(account, now));
          }
        })(10_000, notices),
    ),

  "no lot expires": () =>
    memoryParts(
      (notices) =>
        new (class extends MemoryLedger {
          override lapse(): void {}
        })(10_000, notices),
    ),
};

/** Makes the parts of a ledger some of whose steps of holds are changed. */
function changed(change: (parts: LedgerParts) => Partial<LedgerParts["holds"]>): LedgerParts {
  const parts = memoryParts();
  const { holds } = parts;
  const steps: LedgerParts["holds"] = {
    hold: (request) => holds.hold(request),
    renew: (renewals, leaseMs) => holds.renew(renewals, leaseMs),
    settle: (hold, amount, receipt) => holds.settle(hold, amount, receipt),
    release: (hold) => holds.release(hold),
    expire: () => holds.expire(),
    pending: () => holds.pending(),
  };
  return { ...parts, holds: { ...steps, ...change(parts) } };
}

function withoutHeld<Result>(account: MemoryAccount, step: () => Result): Result {
  const { held } = account;
  account.held = 0n;
  const result = step();
  account.held += held;
  return result;
}

function charge(ledger: MemoryLedger, kind: LedgerEntry["kind"], reference: string, cost: bigint): void {
  const { lots = [] } = ledger.accounts.open(accountId);
  add(ledger, { kind, reference, amount: -cost, lots: orNone(takeFromLots(lots, cost)) });
}

function add(
  ledger: MemoryLedger,
  entry: Pick<LedgerEntry, "kind" | "reference" | "amount"> & Partial<Pick<LedgerEntry, "lots">>,
): void {
  ledger.add(ledger.accounts.open(accountId), { ...ledger.blank(), lots: undefined, ...entry });
}

const oneMore = <Share extends { readonly amount: bigint }>(share: Share): Share => ({
  ...share,
  amount: share.amount + 1n,
});
