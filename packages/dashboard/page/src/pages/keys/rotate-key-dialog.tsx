import { useSignal } from "@preact/signals";
import { change } from "../../api/client.ts";
import type { CreatedKey, KeyDetail } from "../../api/keys.ts";
import { Field } from "../../design/field.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { useChange } from "../../state/change.ts";

interface RotateKeyDialogProps {
  readonly detail: KeyDetail;
  readonly onClose: () => void;
  readonly onRotated: (created: CreatedKey) => void;
}

/** The times for which the old secret still works, in seconds. */
const graces = [
  ["0", "Stops at once"],
  ["3600", "One hour"],
  ["86400", "One day"],
  ["604800", "One week"],
] as const;

/** Replaces a key with a new one. */
export function RotateKeyDialog({ detail, onClose, onRotated }: RotateKeyDialogProps) {
  const grace = useSignal("86400");
  const rotating = useChange();
  const name = detail.name ?? detail.id;
  const submit = async (): Promise<void> => {
    const path = `keys/${encodeURIComponent(detail.id)}/rotate`;
    const body = { grace_seconds: Number(grace.value) };
    const created = await rotating.run(() => change<CreatedKey>("POST", path, body));
    if (created !== undefined) onRotated(created);
  };
  return (
    <FormDialog
      title={`Rotate ${name}?`}
      action="Rotate key"
      change={rotating}
      onSubmit={() => void submit()}
      onClose={onClose}
      destructive
    >
      <p>
        A new key with the same settings replaces <strong>{name}</strong> (…{detail.last_four}). Its secret is shown
        once.
      </p>
      <Field label="The old secret works for">
        {(attributes) => (
          <select {...attributes} value={grace.value} onChange={(event) => (grace.value = event.currentTarget.value)}>
            {graces.map(([seconds, text]) => (
              <option key={seconds} value={seconds}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
