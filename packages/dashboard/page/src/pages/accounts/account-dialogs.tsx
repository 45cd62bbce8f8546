import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { AccountDetail, Posted } from "../../api/answers.ts";
import { change } from "../../api/client.ts";
import { announce } from "../../design/announcements.tsx";
import { FormDialog } from "../../design/dialog.tsx";
import { amountInput, SpendFields, TextField } from "../../design/fields.tsx";
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
  const body = { amount: amount.value.trim(), reason: reason.value.trim() };
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [body.amount, body.reason]);
  const verb = kind === "credits" ? "Credit" : "Debit";
  const path = `accounts/${encodeURIComponent(account)}/${kind}`;
  return (
    <FormDialog
      title={`${verb} ${account}`}
      action={verb}
      send={() => change<Posted>("POST", path, body, { "idempotency-key": idempotencyKey })}
      onDone={({ outcome }) => {
        announce(outcome === "repeated" ? "It was posted before" : "Posted");
        onPosted();
      }}
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
        input={{ ...amountInput, required: true }}
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

interface SpendLimitDialogProps {
  readonly account: AccountDetail;
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

/** The form of an account's own spend limit. Without one, that of the plan applies. */
export function SpendLimitDialog({ account, onClose, onChanged }: SpendLimitDialogProps) {
  const own = account.spend?.source === "own" ? account.spend : null;
  const limit = useSignal(own?.limit ?? "");
  const window = useSignal(own?.window ?? "month");
  const path = `accounts/${encodeURIComponent(account.id)}/spend-limit`;
  const send = (): Promise<unknown> => {
    const text = limit.value.trim();
    if (text === "") return change("DELETE", path);
    return change("PUT", path, { limit: text, window: window.value, ...(own && { timezone: own.timezone }) });
  };
  return (
    <FormDialog title={`Spend limit of ${account.id}`} action="Save" send={send} onDone={onChanged} onClose={onClose}>
      <p class="muted">
        Requests beyond it get status 402 until the window ends. Empty: the limit of the plan applies.
      </p>
      <SpendFields limit={limit} window={window} />
    </FormDialog>
  );
}
