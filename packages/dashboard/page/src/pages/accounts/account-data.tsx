import { useSignal } from "@preact/signals";
import { address, change } from "@tollgate/page-kit/api/client.ts";
import { announce } from "@tollgate/page-kit/design/announcements.tsx";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { Dialog, FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { TextField } from "@tollgate/page-kit/design/fields.tsx";
import { countText } from "@tollgate/page-kit/design/figures.ts";
import { Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import type { AnswerAt } from "../../api/operations.ts";
import { operation } from "../../api/operations.ts";

interface AccountDataProps {
  readonly account: string;
  readonly onChanged: () => unknown;
}

/** What is kept of an account: to export, and to forget. */
export function AccountData({ account, onChanged }: AccountDataProps) {
  const isOpen = useSignal(false);
  const erased = useSignal<Erased | undefined>(undefined);
  const close = (): void => {
    isOpen.value = false;
    if (erased.value !== undefined) onChanged();
  };
  return (
    <Section title="Customer data">
      <div class="inline">
        <a
          class="button small"
          href={address(operation("GET", "/accounts/:id/export", account))}
          download={`${account}.jsonl`}
        >
          Export JSON Lines
        </a>
        <Button look="small" onClick={() => (isOpen.value = true)}>
          Forget
        </Button>
      </div>
      {isOpen.value &&
        (erased.value === undefined ? (
          <ForgetDialog account={account} onClose={close} onErased={(found) => (erased.value = found)} />
        ) : (
          <ErasedDialog account={account} erased={erased.value} onClose={close} />
        ))}
    </Section>
  );
}

type Erased = AnswerAt<"POST", "/accounts/:id/forget">["erased"];

interface ForgetDialogProps {
  readonly account: string;
  readonly onClose: () => void;
  readonly onErased: (erased: Erased) => void;
}

/** Asks for the id of the account before its data is erased. */
function ForgetDialog({ account, onClose, onErased }: ForgetDialogProps) {
  const typed = useSignal("");
  const reason = useSignal("");
  const error = typed.value !== "" && typed.value !== account ? "This is not the id of the account." : undefined;
  const send = () => {
    const body = { reason: reason.value.trim() };
    return change(operation("POST", "/accounts/:id/forget", account), body);
  };
  return (
    <FormDialog
      title={`Forget ${account}?`}
      action="Forget account"
      send={send}
      onDone={({ erased }) => {
        announce("The account is forgotten");
        onErased(erased);
      }}
      onClose={onClose}
      destructive
    >
      <p>
        The keys of <strong>{account}</strong> end. Its stored content, conversations, responses, end users, payment
        methods, and the names and tags of its keys are erased for ever. The ledger and the audit log stay.
      </p>
      <TextField label="Reason" value={reason} hint="Shown in the audit log." input={{ required: true }} />
      <TextField
        label={`Type ${account} to confirm`}
        value={typed}
        error={error}
        input={{ required: true, autocomplete: "off", pattern: exactly(account), title: `Type ${account}` }}
      />
    </FormDialog>
  );
}

/** Returns the pattern that matches this text alone. Browsers compile it with the flag `v`. */
const exactly = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

const names: Readonly<Record<keyof Erased, string>> = {
  keys: "Keys",
  sessions: "Conversations",
  responses: "Responses",
  content: "Contents",
  requests: "Requests",
  charges: "Own charges",
  payments: "Payments",
};

const order = ["keys", "sessions", "responses", "content", "requests", "charges", "payments"] as const;

interface ErasedDialogProps {
  readonly account: string;
  readonly erased: Erased;
  readonly onClose: () => void;
}

/** What was erased in each store. One that the host has not passed has kept its data. */
function ErasedDialog({ account, erased, onClose }: ErasedDialogProps) {
  const facts = order.map((name) => {
    const count = erased[name];
    return [names[name], count === null ? "No such store here" : countText(count)] as const;
  });
  return (
    <Dialog title={`${account} is forgotten`} onClose={onClose}>
      <Facts facts={facts} />
      <div class="dialog-actions">
        <Button look="primary" onClick={onClose} data-first-focus>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
