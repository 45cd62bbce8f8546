import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

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
