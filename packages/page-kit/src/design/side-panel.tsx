import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { texts } from "../texts.ts";
import { Button } from "./controls.tsx";

interface SidePanelProps {
  readonly title: ComponentChildren;
  /** The kind of object, above the title. */
  readonly kind: string;
  /** The value of `data-row` of the link that opened the panel, which gets the focus back. */
  readonly row: string;
  readonly onClose: () => void;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The details of an object beside its list. Escape closes it. */
export function SidePanel({ title, kind, row, onClose, actions, children }: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    heading.current?.focus();
    return () => document.querySelector<HTMLElement>(`main [data-row="${CSS.escape(row)}"]`)?.focus();
  }, [row]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return (
    <aside class="panel" aria-labelledby={id}>
      <header class="panel-header">
        <div class="panel-title">
          <p class="muted">{kind}</p>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
        </div>
        <Button look="quiet" onClick={onClose} aria-label={texts.actions.closePanel}>
          {texts.actions.close}
        </Button>
      </header>
      {actions !== undefined && <div class="panel-actions">{actions}</div>}
      <div class="panel-body">{children}</div>
    </aside>
  );
}
