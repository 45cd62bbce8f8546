import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Field } from "./field.tsx";

interface JsonObjectFieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly hint?: ComponentChildren;
  readonly invalid: boolean;
}

/** A labelled JSON object to write. */
export function JsonObjectField({ label, value, hint, invalid }: JsonObjectFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={invalid ? "This is not a JSON object. Correct it and try again." : undefined}
    >
      {(attributes) => (
        <textarea
          {...attributes}
          class="mono"
          rows={4}
          spellcheck={false}
          value={value.value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Returns undefined for text that is no JSON object. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
