import type { LedgerEntry } from "../../api/accounts.ts";
import { entryName } from "../../design/entry-name.ts";
import { Money } from "../../design/money.tsx";
import { Time } from "../../design/time.tsx";

interface LedgerLineProps {
  readonly entry: LedgerEntry;
  readonly open: boolean;
  readonly toggle: () => void;
}

/** One entry in a line, which opens its receipt. */
export function LedgerLine({ entry, open, toggle }: LedgerLineProps) {
  return (
    <button type="button" class="ledger-line" aria-expanded={open} onClick={toggle}>
      <span>
        {entryName(entry)} <span class="muted">{entry.reason ?? entry.receipt?.model}</span>
      </span>
      <Money amount={entry.amount} exact />
      <span class="muted ledger-time">
        <Time at={entry.at} />
      </span>
    </button>
  );
}
