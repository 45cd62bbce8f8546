import { useSignal } from "@preact/signals";
import type { AccountDetail } from "../../api/accounts.ts";
import { change } from "../../api/client.ts";
import { FormDialog } from "../../design/form-dialog.tsx";
import { SpendFields } from "../../design/spend-fields.tsx";
import { useChange } from "../../state/change.ts";

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
  const changing = useChange();
  const submit = async (): Promise<void> => {
    const path = `accounts/${encodeURIComponent(account.id)}/spend-limit`;
    const text = limit.value.trim();
    const timezone = own?.timezone;
    const body = { limit: text, window: window.value, ...(timezone != null && { timezone }) };
    const done = await changing.run(async () => {
      await (text === "" ? change("DELETE", path) : change("PUT", path, body));
      return true;
    });
    if (done === true) onChanged();
  };
  return (
    <FormDialog
      title={`Spend limit of ${account.id}`}
      action="Save"
      change={changing}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p class="muted">
        Requests beyond it get status 402 until the window ends. Empty: the limit of the plan applies.
      </p>
      <SpendFields draft={{ limit, window }} />
    </FormDialog>
  );
}
