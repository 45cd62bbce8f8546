import type { Signal } from "@preact/signals";
import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { Field } from "./field.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly input?: InputHTMLAttributes;
  /** True: it has the focus when its dialog opens. */
  readonly first?: boolean;
}

/** A labelled line of text. */
export function TextField({ label, value, hint, error, input, first }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          {...input}
          {...(first && { "data-first-focus": true })}
          value={value.value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
