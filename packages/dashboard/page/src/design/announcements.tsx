import { signal } from "@preact/signals";

const text = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message at the foot of the page for three seconds, which screen readers read out. */
export function announce(message: string): void {
  clearTimeout(timer);
  text.value = message;
  timer = setTimeout(() => {
    text.value = "";
  }, 3_000);
}

/** Copies text and says so. */
export async function copy(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
    announce("Copied");
  } catch {
    announce("The browser did not allow copying. Select the text and copy it.");
  }
}

/** The place of the messages. */
export function Announcements() {
  return (
    <div class="announcements" role="status">
      {text.value !== "" && <span>{text.value}</span>}
    </div>
  );
}

/** An id that a click copies. */
export function CopyId({ id }: { readonly id: string }) {
  return (
    <button type="button" class="copy-id" title={`Copy ${id}`} onClick={() => void copy(id)}>
      {id}
    </button>
  );
}
