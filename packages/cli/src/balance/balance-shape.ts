import { formatAmount } from "@tollgate/core";
import type { Balance } from "@tollgate/core/store";

/** A balance as --json shows it: amounts are decimal strings of the host's currency. */
export const toBalanceShape = ({ posted, held, available }: Balance): Readonly<Record<keyof Balance, string>> => ({
  posted: formatAmount(posted),
  held: formatAmount(held),
  available: formatAmount(available),
});
