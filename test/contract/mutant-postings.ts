import {
  type Credit,
  checkedCredit,
  checkedDebit,
  checkedRefund,
  type Debit,
  makesLot,
  type PostingResult,
  paidLeft,
  type Refund,
  type RefundResult,
  takeFromLots,
} from "@tollgate/core/store";
import type { MutantEntries } from "./mutant-entries.ts";
import type { LotMutations } from "./mutant-lots.ts";

/** The seeded mutations of postings. Each changes one line. */
export interface PostingMutations extends LotMutations {
  readonly creditRepeated?: boolean;
  readonly contentIgnored?: boolean;
}

/** The credits, debits and refunds of a mutant store. */
export class MutantPostings {
  readonly paidDebits = new Set<string>();
  readonly #mutations: PostingMutations;
  readonly #ledger: MutantEntries;
  readonly #postings = new Map<string, { readonly content: string; readonly amount: bigint }>();

  constructor(mutations: PostingMutations, ledger: MutantEntries) {
    this.#mutations = mutations;
    this.#ledger = ledger;
  }

  credit(posting: Credit): PostingResult {
    const checked = checkedCredit(posting);
    const { id, account, reason, kind, expiresAt } = checked;
    return this.#post("credit", checked, [this.#mutations.kindUncompared ? "" : kind, expiresAt], () => {
      const lot = makesLot(checked) ? { kind, expiresAt } : undefined;
      this.#ledger.credit(account, id, reason, { amount: checked.amount, ...lot });
      return checked.amount;
    });
  }

  debit(posting: Debit): PostingResult {
    const checked = checkedDebit(posting);
    const { id, account, reason, from } = checked;
    return this.#post("debit", checked, [from], () => {
      const lots = this.#ledger.lots(account);
      const left = paidLeft(this.#ledger.balance(account).posted, this.#mutations.grantedDebited ? [] : lots);
      const amount = from === undefined || checked.amount < left ? checked.amount : left;
      if (from !== undefined) this.paidDebits.add(id);
      const some = from === undefined || this.#mutations.grantedDebited ? lots : lots.filter(isPaid);
      this.#ledger.write("debit", account, -amount, id, { reason, lots: takeFromLots(some, amount) });
      return amount;
    });
  }

  refund(refund: Refund): RefundResult {
    const { account, sequence, amount, reason } = checkedRefund(refund);
    this.#ledger.lapse(account);
    const charge = this.#ledger.entriesOf(account).find((entry) => entry.sequence === sequence && entry.amount < 0n);
    if (charge?.receipt === undefined) return { outcome: "unknown" };
    const before = this.#mutations.refundIgnoresLate ? 0n : this.#ledger.returnedLate(charge);
    const left = -charge.amount - before;
    const wanted = amount ?? left;
    const earlier = this.#mutations.refundRepeated ? undefined : this.#ledger.refundOf(charge);
    if (earlier !== undefined && earlier !== wanted) return { outcome: "conflict" };
    if (earlier !== undefined) return { outcome: "repeated", balance: this.#ledger.balance(account), amount: wanted };
    if (wanted > left && !this.#mutations.refundUnlimited) return { outcome: "conflict" };
    this.#ledger.returnCharge("refund", charge, wanted, before, String(sequence), { reason });
    return { outcome: "posted", balance: this.#ledger.balance(account), amount: wanted };
  }

  #post(
    verb: "credit" | "debit",
    { id, account, amount, reason }: Pick<Debit, "id" | "account" | "amount" | "reason">,
    others: readonly unknown[],
    post: () => bigint,
  ): PostingResult {
    this.#ledger.lapse(account);
    const content = JSON.stringify([verb, account, String(amount), reason, ...others]);
    const existing = this.#mutations.creditRepeated ? undefined : this.#postings.get(id);
    if (existing && existing.content !== content && !this.#mutations.contentIgnored) return { outcome: "conflict" };
    if (existing) return { outcome: "repeated", balance: this.#ledger.balance(account), amount: existing.amount };
    const posted = post();
    this.#postings.set(id, { content, amount: posted });
    return { outcome: "posted", balance: this.#ledger.balance(account), amount: posted };
  }
}

const isPaid = ({ kind }: { readonly kind: string }): boolean => kind === "paid";
