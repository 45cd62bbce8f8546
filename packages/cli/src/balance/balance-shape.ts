import { formatAmount } from "@tollgate/core";
import type { Balance } from "@tollgate/core/store";

/** The balance in the output of --json. Amounts are decimal strings in the host's currency. */
export const toBalanceShape = ({ posted, held, available }: Balance): Readonly<Record<keyof Balance, string>> => ({
  posted: formatAmount(posted),
  held: formatAmount(held),
  available: formatAmount(available),
});
