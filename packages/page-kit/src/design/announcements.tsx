import { signal } from "@preact/signals";
import { texts } from "../texts.ts";

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
    announce(texts.messages.copied);
  } catch {
    announce(texts.messages.copyRefused);
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
    <button type="button" class="copy-id" title={`${texts.actions.copy} ${id}`} onClick={() => void copy(id)}>
      {id}
    </button>
  );
}
