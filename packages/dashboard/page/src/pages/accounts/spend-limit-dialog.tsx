import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { SpendFields, spendModelsOf } from "@tollgate/page-kit/design/fields.tsx";
import type { AccountDetail } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";

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
  const models = useSignal(own?.models?.join(", ") ?? "");
  const send = (): Promise<unknown> => {
    const text = limit.value.trim();
    if (text === "") return change(operation("DELETE", "/accounts/:id/spend-limit", account.id), undefined);
    const zone = own && { timezone: own.timezone };
    const limited = { limit: text, window: window.value, ...zone, ...spendModelsOf(models.value) };
    return change(operation("PUT", "/accounts/:id/spend-limit", account.id), limited);
  };
  return (
    <FormDialog title={`Spend limit of ${account.id}`} action="Save" send={send} onDone={onChanged} onClose={onClose}>
      <p class="muted">
        Requests beyond it get status 402 until the window ends. Empty: the limit of the plan applies.
      </p>
      <SpendFields limit={limit} window={window} models={models} />
    </FormDialog>
  );
}
