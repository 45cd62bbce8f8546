import { formatAmount } from "@tollgate/core";
import type { Entry, Receipt, UnitPrices } from "@tollgate/core/store";

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
  readonly receipt?: ReceiptShape;
}

/** A receipt in the output of --json and JSON lines. Prices are decimal numbers per million tokens, and `request` per request. */
export type ReceiptShape = Omit<Receipt, "charge"> & {
  readonly charge?: Omit<NonNullable<Receipt["charge"]>, "prices"> & {
    readonly prices: { readonly [Name in keyof UnitPrices]: string };
  };
};

/** Converts an entry for the output. */
export const toEntryShape = ({
  sequence,
  at,
  account,
  kind,
  amount,
  reference,
  reason,
  receipt,
}: Entry): EntryShape => ({
  sequence: String(sequence),
  at: at.toISOString(),
  account,
  kind,
  amount: formatAmount(amount),
  reference,
  ...(reason === undefined ? {} : { reason }),
  ...(receipt === undefined ? {} : { receipt: toReceiptShape(receipt) }),
});

function toReceiptShape({ charge, ...receipt }: Receipt): ReceiptShape {
  if (charge === undefined) return receipt;
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, request } = charge.prices;
  const prices = {
    input: formatAmount(input),
    cachedInput: formatAmount(cachedInput),
    cacheWrite5m: formatAmount(cacheWrite5m),
    cacheWrite1h: formatAmount(cacheWrite1h),
    output: formatAmount(output),
    request: formatAmount(request),
  };
  return { ...receipt, charge: { ...charge, prices } };
}

/** Formats a receipt as a short line: the model, the provider, the tokens, and the basis unless the provider reported them. */
export function summarize({ model, charge }: ReceiptShape): string {
  if (charge === undefined) return `${model}, expired`;
  const { provider, tokens, basis } = charge;
  const note = basis === "reported" ? "" : `, ${basis}`;
  return `${model} by ${provider}, ${tokens.input} + ${tokens.output} tokens${note}`;
}
