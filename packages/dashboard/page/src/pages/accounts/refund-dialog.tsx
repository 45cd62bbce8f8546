import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { announce } from "@tollgate/page-kit/design/announcements.tsx";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { amountInput, TextField } from "@tollgate/page-kit/design/fields.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { amountLabel } from "@tollgate/page-kit/state/currency.ts";
import type { LedgerEntry } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";

interface RefundDialogProps {
  readonly account: string;
  readonly charge: LedgerEntry;
  readonly onClose: () => void;
  readonly onRefunded: () => unknown;
}

/** The form of a refund, with the money to which the charge returns. */
export function RefundDialog({ account, charge, onClose, onRefunded }: RefundDialogProps) {
  const amount = useSignal("");
  const reason = useSignal("");
  const send = () => {
    const part = amount.value.trim();
    const body = { sequence: charge.sequence, reason: reason.value.trim(), ...(part !== "" && { amount: part }) };
    return change(operation("POST", "/accounts/:id/refunds", account), body);
  };
  return (
    <FormDialog
      title={`Refund charge #${charge.sequence}`}
      action="Refund"
      send={send}
      onDone={({ outcome }) => {
        announce(outcome === "repeated" ? "It was refunded before" : "Refunded");
        onRefunded();
      }}
      onClose={onClose}
    >
      <p>
        Returns up to <Money amount={positive(charge.amount)} exact /> to <strong>{account}</strong>. A charge can be
        refunded once.
      </p>
      <Returns charge={charge} />
      <TextField
        label={amountLabel("Amount")}
        value={amount}
        hint="Empty: the whole charge"
        input={amountInput}
        first
      />
      <TextField
        label="Reason"
        value={reason}
        hint="Shown in the ledger and the audit log."
        input={{ required: true }}
      />
    </FormDialog>
  );
}

/** What the charge was taken from. What no lot is named for was paid money. */
function Returns({ charge: { lots } }: { readonly charge: LedgerEntry }) {
  if (lots === null) return <p class="muted">It returns to paid money, which does not expire.</p>;
  return (
    <ul class="muted">
      {lots.map(({ lot, kind, amount, expires_at }) => (
        <li key={lot}>
          <Money amount={amount} exact /> came from {kind === "granted" ? "granted" : "paid"} money
          {expires_at !== null && (
            <>
              {" "}
              that expires <Time at={expires_at} dayOnly />
            </>
          )}
          .
        </li>
      ))}
      <li>What came from money that has expired is granted for 7 days.</li>
    </ul>
  );
}

const positive = (amount: string): string => amount.replace(/^-/, "");

/** The kinds of entries that can be refunded. */
const refundable: ReadonlySet<string> = new Set(["charge", "expiry", "late"]);

/** True for a charge that no refund among the loaded entries names. The server refuses a second refund in any case. */
export const canRefund = (entry: LedgerEntry, loaded: readonly LedgerEntry[]): boolean =>
  refundable.has(entry.kind) &&
  entry.amount.startsWith("-") &&
  !loaded.some(({ kind, reference }) => kind === "refund" && reference === entry.sequence);
