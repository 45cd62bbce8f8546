import { formatAmount } from "@tollgate/core";
import type { Entry } from "@tollgate/core/store";

/** An entry as --json, JSON lines and CSV show it: numbers are strings, since both may exceed what a double can hold. */
export interface EntryShape {
  readonly sequence: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly account: string;
  readonly kind: Entry["kind"];
  /** Decimal, negative when the account paid. */
  readonly amount: string;
  readonly reference: string;
  readonly reason?: string;
}

/** What is shown of an entry. */
export const toEntryShape = ({ sequence, at, account, kind, amount, reference, reason }: Entry): EntryShape => ({
  sequence: String(sequence),
  at: at.toISOString(),
  account,
  kind,
  amount: formatAmount(amount),
  reference,
  ...(reason === undefined ? {} : { reason }),
});
