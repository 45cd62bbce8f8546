import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Posted } from "../../api/accounts.ts";
import { change } from "../../api/client.ts";
import { announce } from "../../design/announcements.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { TextField } from "../../design/text-field.tsx";
import { useChange } from "../../state/change.ts";
import { amountLabel } from "../../state/me.ts";

interface PostDialogProps {
  readonly account: string;
  /** True: the account has no balance and no key, so its id may be a mistake. */
  readonly isNew: boolean;
  readonly kind: "credits" | "debits";
  readonly onClose: () => void;
  readonly onPosted: () => unknown;
}

/** The form of a credit or a debit. Sending it again after a failure posts it once. */
export function PostDialog({ account, isNew, kind, onClose, onPosted }: PostDialogProps) {
  const amount = useSignal("");
  const reason = useSignal("");
  const posting = useChange();
  const body = { amount: amount.value.trim(), reason: reason.value.trim() };
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [body.amount, body.reason]);
  const verb = kind === "credits" ? "Credit" : "Debit";
  const submit = async (): Promise<void> => {
    const path = `accounts/${encodeURIComponent(account)}/${kind}`;
    const posted = await posting.run(() => change<Posted>("POST", path, body, { "idempotency-key": idempotencyKey }));
    if (posted === undefined) return;
    announce(posted.outcome === "repeated" ? "It was posted before" : "Posted");
    onPosted();
  };
  return (
    <FormDialog
      title={`${verb} ${account}`}
      action={verb}
      change={posting}
      onSubmit={() => void submit()}
      onClose={onClose}
      destructive={kind === "debits"}
    >
      <p>
        {kind === "credits" ? "Adds money to" : "Takes money from"} the balance of <strong>{account}</strong>. The
        ledger keeps the entry for ever.
      </p>
      {isNew && (
        <label class="check">
          <input type="checkbox" required /> <strong>{account}</strong> is a new account. Create it.
        </label>
      )}
      <TextField
        label={amountLabel("Amount")}
        value={amount}
        input={{
          required: true,
          inputMode: "decimal",
          pattern: "\\d+(\\.\\d{1,9})?",
          title: "An amount such as 50 or 12.50",
        }}
        first={kind === "credits"}
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
