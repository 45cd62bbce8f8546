import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useChange } from "../state/change.ts";
import { texts } from "../texts.ts";
import { Button } from "./controls.tsx";
import { Problem } from "./loaded.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** False: Escape does not close the dialog. */
  readonly dismissible?: boolean;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog. It is open as long as it is rendered, and gives the focus back. */
export function Dialog({ title, onClose, dismissible = true, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.setAttribute("closedby", dismissible ? "closerequest" : "none");
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    return () => {
      dialog.current?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface FormDialogProps<Answer> {
  readonly title: string;
  /** The verb of the button, such as "Create key". */
  readonly action: string;
  /** Makes the change when the form is submitted. */
  readonly send: () => Promise<Answer>;
  /** Called with its answer if it was made. */
  readonly onDone: (answer: Answer) => unknown;
  readonly onClose: () => void;
  /** True: the action cannot be undone, so that Cancel has the focus. */
  readonly destructive?: boolean;
  /** The state of the change, if the form shows it beside its fields. */
  readonly change?: ReturnType<typeof useChange>;
  readonly children: ComponentChildren;
}

/** A dialog with a form, Cancel and one action that makes a change. */
export function FormDialog<Answer>(props: FormDialogProps<Answer>) {
  const { title, action, send, onDone, onClose, destructive = false, children } = props;
  const own = useChange();
  const { running, error, run } = props.change ?? own;
  const submit = async (): Promise<void> => {
    const answer = await run(send);
    if (answer !== undefined) onDone(answer);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="form">{children}</div>
        <Problem error={error.value} />
        <div class="dialog-actions">
          <Button onClick={onClose} {...(destructive && { "data-first-focus": true })}>
            {texts.actions.cancel}
          </Button>
          <button type="submit" class={destructive ? "button danger" : "button primary"} disabled={running.value}>
            {running.value ? texts.actions.working : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
