import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { SelectField } from "@tollgate/page-kit/design/fields.tsx";
import { fill } from "@tollgate/page-kit/texts.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";
import type { KeyDialogProps } from "./key-form.tsx";

/** Asks before a key is revoked. */
export function RevokeKeyDialog({ detail, onClose, onDone }: KeyDialogProps) {
  const named = { name: detail.name ?? detail.id, last: detail.last_four };
  return (
    <FormDialog
      title={fill(texts.keys.revokeTitle, named)}
      action={texts.keys.revokeAction}
      send={() => change(operation("POST", "/keys/:id/revoke", detail.id), undefined)}
      onDone={() => onDone()}
      onClose={onClose}
      destructive
    >
      <p>{fill(texts.keys.revokeText, named)}</p>
    </FormDialog>
  );
}

/** The seconds for which the old secret still works. */
const graces = ["0", "3600", "86400", "604800"] as const;

/** Replaces a key with a new one. */
export function RotateKeyDialog({ detail, onClose, onDone }: KeyDialogProps) {
  const grace = useSignal<(typeof graces)[number]>("86400");
  const named = { name: detail.name ?? detail.id, last: detail.last_four };
  const rotate = operation("POST", "/keys/:id/rotate", detail.id);
  return (
    <FormDialog
      title={fill(texts.keys.rotateTitle, named)}
      action={texts.keys.rotateAction}
      send={() => change(rotate, { grace_seconds: Number(grace.value) })}
      onDone={onDone}
      onClose={onClose}
      destructive
    >
      <p>{fill(texts.keys.rotateText, named)}</p>
      <SelectField
        label={texts.keys.grace}
        value={grace.value}
        choices={graces.map((seconds) => [seconds, texts.keys[`grace${seconds}`]] as const)}
        onChange={(seconds) => (grace.value = seconds)}
      />
    </FormDialog>
  );
}
