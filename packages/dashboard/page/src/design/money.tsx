import type { Amount } from "../api/common.ts";
import { currency } from "../state/me.ts";
import { amountText } from "./amount-text.ts";

/** An amount in the host's currency; a dash for null. The title has every digit. */
export function Money({ amount, exact = false }: { readonly amount: Amount | null; readonly exact?: boolean }) {
  if (amount === null) return <span class="muted">–</span>;
  return (
    <span class="figure" title={amountText(amount, currency.value, { exact: true })}>
      {amountText(amount, currency.value, { exact })}
    </span>
  );
}
