import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Json } from "../api/operations.ts";
import { fill, texts } from "../texts.ts";
import { copy } from "./announcements.tsx";
import { Button } from "./controls.tsx";
import { scrollArea } from "./data-table.tsx";
import { bytesText } from "./figures.ts";

/** Text as it is, in a box that scrolls, with a button that copies it. It is never read as markup. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div class="code">
      <LongText text={code}>
        {(shown) => (
          <pre {...scrollArea(label)} dir="auto">
            {shown}
          </pre>
        )}
      </LongText>
      <Button look="small" onClick={() => void copy(code)} aria-label={fill(texts.actions.copyLabel, { label })}>
        {texts.actions.copy}
      </Button>
    </div>
  );
}

/** JSON with indentation. */
export function JsonBlock({ value, label }: { readonly value: Json; readonly label: string }) {
  return <CodeBlock code={JSON.stringify(value, null, 2)} label={label} />;
}

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
        <Button look="small show-all" onClick={() => (all.value = true)}>
          {fill(texts.actions.showAll, { size: bytesText(new TextEncoder().encode(text).byteLength) })}
        </Button>
      )}
    </>
  );
}
