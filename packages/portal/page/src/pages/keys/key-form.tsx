import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { SpendFields, spendModelsOf, TextField } from "@tollgate/page-kit/design/fields.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import { fill } from "@tollgate/page-kit/texts.ts";
import type { CreatedKey, OwnKey, OwnKeyDetail } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedKey) => void;
}

/** The form of a new key. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const name = useSignal("");
  const expires = useSignal("");
  const spend = useSpend(null);
  const creating = useChange();
  const problem = (param: string): string | undefined =>
    creating.error.value?.param === param ? creating.error.value.message : undefined;
  const send = (): Promise<CreatedKey> => {
    const limit = spend.read();
    return change(operation("POST", "/keys"), {
      ...(name.value.trim() !== "" && { name: name.value.trim() }),
      ...(limit !== null && { spend: limit }),
      ...(expires.value !== "" && { expires_at: endOfDay(expires.value) }),
    });
  };
  return (
    <FormDialog
      title={texts.keys.create}
      action={texts.keys.create}
      send={send}
      onDone={(created) => {
        onClose();
        onCreated(created);
      }}
      onClose={onClose}
      change={creating}
    >
      <TextField label={texts.keys.name} value={name} hint={texts.keys.nameHint} error={problem("name")} first />
      <SpendFields {...spend.fields} error={problem("spend")} />
      <TextField
        label={texts.keys.expires}
        value={expires}
        hint={texts.keys.expiresHint}
        error={problem("expires_at")}
        input={{ type: "date" }}
      />
    </FormDialog>
  );
}

/** The end of a day in the viewer's zone. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** What a dialog about a key gets. */
export interface KeyDialogProps {
  readonly detail: OwnKeyDetail;
  readonly onClose: () => void;
  /** Called after the change, with the new key if it made one. */
  readonly onDone: (created?: CreatedKey) => unknown;
}

/** The form that changes a key. An empty field removes its value. */
export function EditKeyDialog({ detail, onClose, onDone }: KeyDialogProps) {
  const name = useSignal(detail.name ?? "");
  const spend = useSpend(detail.spend);
  const changing = useChange();
  const error = changing.error.value;
  return (
    <FormDialog
      title={fill(texts.keys.editTitle, { name: detail.name ?? detail.id })}
      action={texts.keys.save}
      send={() =>
        change(operation("PATCH", "/keys/:id", detail.id), { name: name.value.trim() || null, spend: spend.read() })
      }
      onDone={() => onDone()}
      onClose={onClose}
      change={changing}
    >
      <TextField label={texts.keys.name} value={name} first />
      <SpendFields {...spend.fields} error={error?.param === "spend" ? error.message : undefined} />
    </FormDialog>
  );
}

/** The fields of a spend limit, and how they are read. Null: no limit. */
function useSpend(before: OwnKey["spend"]) {
  const limit = useSignal(before?.limit ?? "");
  const window = useSignal(before?.window ?? "month");
  const models = useSignal(before?.models?.join(", ") ?? "");
  const read = () =>
    limit.value.trim() === ""
      ? null
      : {
          limit: limit.value.trim(),
          window: window.value,
          ...(before && { timezone: before.timezone }),
          ...spendModelsOf(models.value),
        };
  return { fields: { limit, window, models }, read };
}
