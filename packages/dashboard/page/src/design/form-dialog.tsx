import type { ComponentChildren } from "preact";
import type { Change } from "../state/change.ts";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

interface FormDialogProps {
  readonly title: string;
  /** The verb of the button, such as "Create key". */
  readonly action: string;
  readonly change: Change;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** True: the action cannot be undone, so that Cancel has the focus. */
  readonly destructive?: boolean;
  readonly children: ComponentChildren;
}

/** A dialog with a form, Cancel and one action. */
export function FormDialog({ title, action, change, onSubmit, onClose, destructive, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <div class="form">{children}</div>
        <Problem error={change.error.value} />
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose} {...(destructive && { "data-first-focus": true })}>
            Cancel
          </button>
          <button
            type="submit"
            class={destructive ? "button danger" : "button primary"}
            disabled={change.running.value}
          >
            {change.running.value ? "Working…" : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
