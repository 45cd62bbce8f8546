import { change } from "../../api/client.ts";
import type { KeyDetail } from "../../api/keys.ts";
import { FormDialog } from "../../design/form-dialog.tsx";
import { useChange } from "../../state/change.ts";

interface RevokeKeyDialogProps {
  readonly detail: KeyDetail;
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

/** Asks before a key is revoked. */
export function RevokeKeyDialog({ detail, onClose, onChanged }: RevokeKeyDialogProps) {
  const revoking = useChange();
  const name = detail.name ?? detail.id;
  const submit = async (): Promise<void> => {
    const path = `keys/${encodeURIComponent(detail.id)}/revoke`;
    const revoked = await revoking.run(() => change<unknown>("POST", path, {}));
    if (revoked !== undefined) onChanged();
  };
  return (
    <FormDialog
      title={`Revoke ${name}?`}
      action="Revoke key"
      change={revoking}
      onSubmit={() => void submit()}
      onClose={onClose}
      destructive
    >
      <p>
        Requests with the key <strong>{name}</strong> (…{detail.last_four}) of the account{" "}
        <strong>{detail.account}</strong> will get status 401 from now on. A revoked key cannot be used again.
      </p>
    </FormDialog>
  );
}
