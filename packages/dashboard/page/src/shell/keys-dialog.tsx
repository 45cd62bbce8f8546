import { Dialog } from "../design/dialog.tsx";
import { shortcuts } from "../state/shortcuts.ts";

/** The list of keys that `?` shows. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose} data-first-focus>
          Close
        </button>
      </div>
    </Dialog>
  );
}
