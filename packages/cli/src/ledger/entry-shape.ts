import { formatAmount } from "@tollgate/core";
import type { Entry } from "@tollgate/core/store";

/**
 * An entry in the output of --json, JSON lines and CSV. Numbers are strings, since they can exceed the range of a
 * double.
 */
export interface EntryShape {
  readonly sequence: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly account: string;
  readonly kind: Entry["kind"];
  /** A decimal number, negative when the account paid. */
  readonly amount: string;
  readonly reference: string;
  readonly reason?: string;
}

/** Converts an entry for the output. */
export const toEntryShape = ({ sequence, at, account, kind, amount, reference, reason }: Entry): EntryShape => ({
  sequence: String(sequence),
  at: at.toISOString(),
  account,
  kind,
  amount: formatAmount(amount),
  reference,
  ...(reason === undefined ? {} : { reason }),
});
