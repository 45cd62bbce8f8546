import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { type Choices, SelectField } from "@tollgate/page-kit/design/fields.tsx";
import { operation } from "../../api/operations.ts";
import type { KeyDialogProps } from "./key-form.tsx";

/** Asks before a key is revoked. */
export function RevokeKeyDialog({ detail, onClose, onDone }: KeyDialogProps) {
  const name = detail.name ?? detail.id;
  return (
    <FormDialog
      title={`Revoke ${name}?`}
      action="Revoke key"
      send={() => change(operation("POST", "/keys/:id/revoke", detail.id), undefined)}
      onDone={() => onDone()}
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

/** The times for which the old secret still works, in seconds. */
const graces: Choices = [
  ["0", "Stops at once"],
  ["3600", "One hour"],
  ["86400", "One day"],
  ["604800", "One week"],
];

/** Replaces a key with a new one. */
export function RotateKeyDialog({ detail, onClose, onDone }: KeyDialogProps) {
  const grace = useSignal("86400");
  const name = detail.name ?? detail.id;
  const rotate = operation("POST", "/keys/:id/rotate", detail.id);
  return (
    <FormDialog
      title={`Rotate ${name}?`}
      action="Rotate key"
      send={() => change(rotate, { grace_seconds: Number(grace.value) })}
      onDone={onDone}
      onClose={onClose}
      destructive
    >
      <p>
        A new key with the same settings replaces <strong>{name}</strong> (…{detail.last_four}). Its secret is shown
        once.
      </p>
      <SelectField
        label="The old secret works for"
        value={grace.value}
        choices={graces}
        onChange={(seconds) => (grace.value = seconds)}
      />
    </FormDialog>
  );
}
