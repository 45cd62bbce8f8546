import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { bytesText } from "./figures.ts";

interface LongTextProps {
  readonly text: string;
  /** Renders the text, or its beginning. */
  readonly children: (shown: string) => ComponentChildren;
}

/** The characters that a browser lays out at once without a pause. */
const shownFirst = 32_768;

/** A text that may be very long: its beginning, and all of it on demand. */
export function LongText({ text, children }: LongTextProps) {
  const all = useSignal(false);
  const cut = text.length > shownFirst && !all.value;
  return (
    <>
      {children(cut ? text.slice(0, shownFirst) : text)}
      {cut && (
        <button type="button" class="button small show-all" onClick={() => (all.value = true)}>
          Show all {bytesText(new TextEncoder().encode(text).byteLength)}
        </button>
      )}
    </>
  );
}
