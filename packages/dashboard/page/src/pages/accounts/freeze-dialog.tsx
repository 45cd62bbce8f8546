import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { announce } from "@tollgate/page-kit/design/announcements.tsx";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { TextField } from "@tollgate/page-kit/design/fields.tsx";
import { operation } from "../../api/operations.ts";

interface FreezeDialogProps {
  readonly account: string;
  readonly verb: "freeze" | "thaw";
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

/** Asks for the reason before an account is frozen or thawed. */
export function FreezeDialog({ account, verb, onClose, onChanged }: FreezeDialogProps) {
  const reason = useSignal("");
  const freezes = verb === "freeze";
  return (
    <FormDialog
      title={freezes ? `Freeze ${account}?` : `Thaw ${account}?`}
      action={freezes ? "Freeze account" : "Thaw account"}
      send={() => change(operation("POST", `/accounts/:id/${verb}`, account), { reason: reason.value.trim() })}
      onDone={() => {
        announce(freezes ? "The account is frozen" : "The account is thawed");
        onChanged();
      }}
      onClose={onClose}
      destructive={freezes}
    >
      {freezes ? (
        <p>
          New requests of <strong>{account}</strong> that call a model will get status 403. Running ones end as usual
          and are charged. The account can still be read and credited.
        </p>
      ) : (
        <p>
          <strong>{account}</strong> can call models again, at once in this process and within 30 seconds in others.
        </p>
      )}
      <TextField
        label="Reason"
        value={reason}
        hint={freezes ? "Shown here while the account is frozen, and in the audit log." : "Shown in the audit log."}
        input={{ required: true }}
        first={!freezes}
      />
    </FormDialog>
  );
}
