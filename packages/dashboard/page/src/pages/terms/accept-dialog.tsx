import { useSignal } from "@preact/signals";
import { change } from "../../api/client.ts";
import type { TermsVersion } from "../../api/models.ts";
import { announce } from "../../design/announcements.tsx";
import { Field } from "../../design/field.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { TextField } from "../../design/text-field.tsx";
import { useChange } from "../../state/change.ts";

interface AcceptDialogProps {
  readonly versions: readonly TermsVersion[];
  readonly inForce: string | null;
  readonly onClose: () => void;
  readonly onAccepted: () => unknown;
}

/** Records that an account has accepted a version outside the gateway. */
export function AcceptDialog({ versions, inForce, onClose, onAccepted }: AcceptDialogProps) {
  const account = useSignal("");
  const version = useSignal(inForce ?? versions[0]?.id ?? "");
  const accepting = useChange();
  const submit = async (): Promise<void> => {
    const path = `accounts/${encodeURIComponent(account.value.trim())}/terms`;
    const done = await accepting.run(async () => {
      await change("POST", path, { version_id: version.value });
      return true;
    });
    if (done === undefined) return;
    announce("Recorded");
    onClose();
    onAccepted();
  };
  return (
    <FormDialog
      title="Record an acceptance"
      action="Record"
      change={accepting}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p class="muted">Only for an account that has accepted these terms. The audit log keeps your name.</p>
      <TextField label="Account" value={account} input={{ required: true, autocomplete: "off" }} first />
      <Field label="Version">
        {(attributes) => (
          <select
            {...attributes}
            value={version.value}
            onChange={(event) => (version.value = event.currentTarget.value)}
          >
            {versions.map((each) => (
              <option key={each.id} value={each.id}>
                {each.version}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
