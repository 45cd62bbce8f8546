import type { CreatedKey } from "../../api/keys.ts";
import { copy } from "../../design/announcements.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { KeySnippets } from "./key-snippets.tsx";

interface SecretDialogProps {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}

/** The secret of a new key, which is shown only here, with examples that use it. Only its button closes it. */
export function SecretDialog({ created, onClose }: SecretDialogProps) {
  const { key, secret } = created;
  return (
    <Dialog title={`Copy the secret of ${key.name ?? key.id}`} onClose={onClose} dismissible={false} wide>
      <p>This is the only time that the secret is shown. Store it where your other secrets are.</p>
      <div class="secret">
        <code>{secret}</code>
        <button type="button" class="button primary" data-first-focus onClick={() => void copy(secret)}>
          Copy secret
        </button>
      </div>
      <KeySnippets created={created} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
