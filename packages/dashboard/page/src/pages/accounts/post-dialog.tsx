import { type Signal, useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { announce } from "@tollgate/page-kit/design/announcements.tsx";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { amountInput, type Choices, SelectField, TextField } from "@tollgate/page-kit/design/fields.tsx";
import { amountLabel } from "@tollgate/page-kit/state/currency.ts";
import { useMemo } from "preact/hooks";
import { operation } from "../../api/operations.ts";
import { startOfDay } from "./start-of-day.ts";

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
  const { amount, reason, money, lastDay, fromPaid, send } = usePosting(account, kind);
  const isCredit = kind === "credits";
  const verb = isCredit ? "Credit" : "Debit";
  return (
    <FormDialog
      title={`${verb} ${account}`}
      action={verb}
      send={send}
      onDone={({ outcome }) => {
        announce(outcome === "repeated" ? "It was posted before" : "Posted");
        onPosted();
      }}
      onClose={onClose}
      destructive={!isCredit}
    >
      <p>
        {isCredit ? "Adds money to" : "Takes money from"} the balance of <strong>{account}</strong>. The ledger keeps
        the entry for ever.
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
        first={isCredit}
      />
      {isCredit ? <CreditFields money={money} lastDay={lastDay} /> : <PaidAlone chosen={fromPaid} />}
      <TextField
        label="Reason"
        value={reason}
        hint="Shown in the ledger and the audit log."
        input={{ required: true }}
      />
    </FormDialog>
  );
}

/** Returns what is typed, and sends it with one idempotency key for the same content. */
function usePosting(account: string, kind: PostDialogProps["kind"]) {
  const amount = useSignal("");
  const reason = useSignal("");
  const money = useSignal<MoneyKind>("paid");
  const lastDay = useSignal("");
  const fromPaid = useSignal(false);
  const posting = { amount: amount.value.trim(), reason: reason.value.trim() };
  const expiry = startOfDay(lastDay.value, 1);
  const credit = { ...posting, kind: money.value, ...(expiry !== undefined && { expires_at: expiry }) };
  const debit = { ...posting, ...(fromPaid.value && { from: "paid" as const }) };
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [JSON.stringify([credit, debit])]);
  const headers = { "idempotency-key": idempotencyKey };
  const send = () =>
    kind === "credits"
      ? change(operation("POST", "/accounts/:id/credits", account), credit, headers)
      : change(operation("POST", "/accounts/:id/debits", account), debit, headers);
  return { amount, reason, money, lastDay, fromPaid, send };
}

interface CreditFieldsProps {
  readonly money: Signal<MoneyKind>;
  readonly lastDay: Signal<string>;
}

function CreditFields({ money, lastDay }: CreditFieldsProps) {
  return (
    <div class="pair">
      <SelectField
        label="Money"
        value={money.value}
        choices={kinds}
        onChange={(chosen) => (money.value = chosen)}
        hint="Granted money is spent before paid money."
      />
      <TextField
        label="Last day"
        value={lastDay}
        hint="Empty: it does not expire."
        input={{ type: "date", min: today() }}
      />
    </div>
  );
}

const PaidAlone = ({ chosen }: { readonly chosen: Signal<boolean> }) => (
  <label class="check">
    <input
      type="checkbox"
      checked={chosen.value}
      onChange={({ currentTarget }) => (chosen.value = currentTarget.checked)}
    />{" "}
    Paid money alone, at most what is left of it
  </label>
);

type MoneyKind = "paid" | "granted";

const kinds: Choices<MoneyKind> = [
  ["paid", "Paid"],
  ["granted", "Granted"],
];

/** Returns the present day in the viewer's zone, as an input has it. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
