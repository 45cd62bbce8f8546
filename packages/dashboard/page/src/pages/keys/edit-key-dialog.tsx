import { useSignal } from "@preact/signals";
import { change } from "../../api/client.ts";
import type { KeyDetail } from "../../api/keys.ts";
import { FormDialog } from "../../design/form-dialog.tsx";
import { SpendFields } from "../../design/spend-fields.tsx";
import { TextField } from "../../design/text-field.tsx";
import { useChange } from "../../state/change.ts";
import { ModelChoice } from "./model-choice.tsx";

interface EditKeyDialogProps {
  readonly detail: KeyDetail;
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

/** The form that changes a key. An empty field removes its value. */
export function EditKeyDialog({ detail, onClose, onChanged }: EditKeyDialogProps) {
  const name = useSignal(detail.name ?? "");
  const models = useSignal<readonly string[]>(detail.models ?? []);
  const limit = useSignal(detail.spend?.limit ?? "");
  const window = useSignal(detail.spend?.window ?? "month");
  const tags = useSignal(detail.tags.join(", "));
  const changing = useChange();
  const submit = async (): Promise<void> => {
    const timezone = detail.spend?.timezone;
    const body = {
      name: name.value.trim() || null,
      models: models.value.length === 0 ? null : models.value,
      tags: tags.value.split(",").flatMap((tag) => tag.trim() || []),
      spend:
        limit.value.trim() === ""
          ? null
          : { limit: limit.value.trim(), window: window.value, ...(timezone != null && { timezone }) },
    };
    const path = `keys/${encodeURIComponent(detail.id)}`;
    const changed = await changing.run(() => change<unknown>("PATCH", path, body));
    if (changed !== undefined) onChanged();
  };
  return (
    <FormDialog
      title={`Edit ${detail.name ?? detail.id}`}
      action="Save"
      change={changing}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} first />
      <ModelChoice chosen={models} />
      <SpendFields draft={{ limit, window }} />
      <TextField label="Tags" value={tags} hint="Separated by commas" />
    </FormDialog>
  );
}
