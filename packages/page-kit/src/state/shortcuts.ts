import { useEffect } from "preact/hooks";

/** The keys of a page with the name of their text in `texts.shortcuts`. */
export const shortcuts = [
  ["/", "search"],
  ["j", "next"],
  ["k", "previous"],
  ["Enter", "open"],
  ["Esc", "close"],
  ["?", "list"],
] as const;

/** Handles the keys of a page outside fields and dialogs. */
export function useShortcuts(showKeys: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isField(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (event.key === "/") focusSearch(event);
      else if (event.key === "j") moveRow(event, 1);
      else if (event.key === "k") moveRow(event, -1);
      else if (event.key === "?") showKeys();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** True for elements in which keys are text. A select that filters a list is none: it keeps the focus after a choice. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, form select, .settings, [contenteditable]") !== null;

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  if (field === null) return;
  event.preventDefault();
  field.focus();
  field.select();
}

function moveRow(event: KeyboardEvent, step: number): void {
  event.preventDefault();
  const links = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const rows: readonly (Element | null)[] = links;
  const active = document.activeElement;
  const open = document.querySelector("main [aria-current='true'] [data-row]");
  const from = rows.indexOf(active);
  const start = from >= 0 ? from : rows.indexOf(open);
  const next = start < 0 ? 0 : Math.min(links.length - 1, Math.max(0, start + step));
  links[next]?.focus();
  links[next]?.scrollIntoView({ block: "nearest" });
}
