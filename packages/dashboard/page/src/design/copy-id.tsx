import { copy } from "./announcements.tsx";

/** An id that a click copies. */
export function CopyId({ id, label }: { readonly id: string; readonly label?: string }) {
  return (
    <button type="button" class="copy-id" title={`Copy ${id}`} onClick={() => void copy(id)}>
      {label ?? id}
    </button>
  );
}
