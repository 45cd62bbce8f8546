import { type Balance, formatAmount } from "@tollgate/core";

/** A balance as --json shows it: amounts are decimal strings of the host's currency. */
export const toBalanceShape = ({ posted, held, available }: Balance): Readonly<Record<keyof Balance, string>> => ({
  posted: formatAmount(posted),
  held: formatAmount(held),
  available: formatAmount(available),
});
