import type { Balance, BalanceStore, EndResult, Entry, EntryKind, HoldRequest, Posting } from "@tollgate/core";

/** Each is one line that a store can get wrong. */
export interface Flaws {
  readonly guardDropped?: boolean;
  readonly guardReadEarly?: boolean;
  readonly holdRepeated?: boolean;
  readonly contentIgnored?: boolean;
  readonly releaseInAnyState?: boolean;
  readonly settleTwice?: boolean;
  readonly overageForgiven?: boolean;
  readonly lateInFull?: boolean;
  readonly lateRefused?: boolean;
  readonly renewalDead?: boolean;
  readonly usedMayFall?: boolean;
  readonly expiryOfWholeHold?: boolean;
  readonly expiryKeepsHold?: boolean;
  readonly creditRepeated?: boolean;
  readonly cursorIgnored?: boolean;
}

interface Hold extends HoldRequest {
  state: "pending" | "settled" | "released" | "expired";
  used: bigint;
  charged: bigint;
  expiresAt: number;
}

/** The plainest store that satisfies the contract, with a switch for each mistake. */
export function breakableBalanceStore(flaws: Flaws): BalanceStore {
  const holds = new Map<string, Hold>();
  const postings = new Map<string, Posting & { readonly kind: EntryKind }>();
  const entries: Entry[] = [];
  const freed = new Map<string, bigint>();

  const balance = (account: string): Balance => {
    const posted = sum(entries.filter((entry) => entry.account === account).map(({ amount }) => amount));
    const pending = [...holds.values()].filter((hold) => hold.account === account && hold.state === "pending");
    const held = sum(pending.map(({ amount }) => amount)) - (freed.get(account) ?? 0n);
    return { posted, held, available: posted - held };
  };
  const write = (kind: EntryKind, account: string, amount: bigint, reference: string, reason?: string): void => {
    if (amount === 0n) return;
    const sequence = BigInt(entries.length + 1);
    entries.push({ sequence, account, kind, amount, reference, at: new Date(), ...(reason ? { reason } : {}) });
  };
  const post = (kind: "credit" | "debit", posting: Posting) => {
    if (posting.amount <= 0n) throw new RangeError("An amount must be positive.");
    const known = flaws.creditRepeated ? undefined : postings.get(posting.id);
    const same = known?.kind === kind && sameContent(known, posting, ["account", "amount", "reason"]);
    if (known && !same && !flaws.contentIgnored) return { outcome: "conflict" } as const;
    if (known) return { outcome: "repeated", balance: balance(posting.account) } as const;
    postings.set(posting.id, { ...posting, kind });
    write(kind, posting.account, kind === "credit" ? posting.amount : -posting.amount, posting.id, posting.reason);
    return { outcome: "posted", balance: balance(posting.account) } as const;
  };

  return {
    async hold(request) {
      if (request.amount < 0n) throw new RangeError("An amount must not be negative.");
      const early = balance(request.account);
      if (flaws.guardReadEarly) await Promise.resolve();
      const known = holds.get(request.id);
      const same = known && sameContent(known, request, ["account", "keyId", "amount"]);
      if (known && !same && !flaws.contentIgnored) return { outcome: "conflict" };
      if (known && !flaws.holdRepeated) return { outcome: "held", balance: balance(request.account) };
      const { available } = flaws.guardReadEarly ? early : balance(request.account);
      if (available < request.amount && !flaws.guardDropped)
        return { outcome: "insufficient", balance: balance(request.account) };
      const id = known ? crypto.randomUUID() : request.id;
      const expiresAt = Date.now() + request.leaseMs;
      holds.set(id, { ...request, state: "pending", used: 0n, charged: 0n, expiresAt });
      return { outcome: "held", balance: balance(request.account) };
    },
    renew: (renewals, leaseMs) =>
      renewals.flatMap(({ id, used }) => {
        if (used < 0n) throw new RangeError("An amount must not be negative.");
        const hold = holds.get(id);
        if (hold?.state !== "pending") return [];
        if (flaws.renewalDead) return [id];
        hold.expiresAt = Date.now() + leaseMs;
        if (used > hold.used || flaws.usedMayFall) hold.used = used;
        return [id];
      }),
    async settle(id, amount): Promise<EndResult> {
      if (amount < 0n) throw new RangeError("An amount must not be negative.");
      const hold = holds.get(id);
      if (!hold) return { outcome: "unknown" };
      const again = hold.state === "settled" && hold.charged === amount;
      if (again && flaws.settleTwice) write("charge", hold.account, -amount, id);
      if (again) return { outcome: "repeated" };
      const late = hold.state === "expired";
      if (hold.state === "settled" || hold.state === "released") return { outcome: "conflict" };
      if (late && flaws.lateRefused) return { outcome: "conflict" };
      const charge = flaws.overageForgiven && amount > hold.amount ? hold.amount : amount;
      write(late ? "late" : "charge", hold.account, (flaws.lateInFull ? 0n : hold.charged) - charge, id);
      Object.assign(hold, { state: "settled", charged: amount });
      return { outcome: late ? "late" : "ended" };
    },
    async release(id): Promise<EndResult> {
      const hold = holds.get(id);
      if (!hold) return { outcome: "unknown" };
      if (flaws.releaseInAnyState && hold.state !== "pending") {
        freed.set(hold.account, (freed.get(hold.account) ?? 0n) + hold.amount);
        return { outcome: "ended" };
      }
      if (hold.state === "released") return { outcome: "repeated" };
      if (hold.state !== "pending") return { outcome: "conflict" };
      hold.state = "released";
      return { outcome: "ended" };
    },
    expire() {
      const due = [...holds].filter(([, hold]) => hold.state === "pending" && hold.expiresAt <= Date.now());
      for (const [id, hold] of due) {
        const charged = flaws.expiryOfWholeHold ? hold.amount : hold.used;
        write("expiry", hold.account, -charged, id);
        Object.assign(hold, { state: flaws.expiryKeepsHold ? "pending" : "expired", charged });
      }
      return due.length;
    },
    credit: (posting) => post("credit", posting),
    debit: (posting) => post("debit", posting),
    balance,
    entries({ account, limit, after = 0n }) {
      const cursor = flaws.cursorIgnored ? 0n : after;
      const rest = entries.filter((entry) => entry.account === account && entry.sequence > cursor);
      const page = rest.slice(0, limit);
      const last = page.at(-1);
      return rest.length > page.length && last ? { entries: page, next: last.sequence } : { entries: page };
    },
    verify: () => [],
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function sameContent<Content extends object>(one: Content, other: Content, names: readonly (keyof Content)[]): boolean {
  return names.every((name) => one[name] === other[name]);
}
