import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly children: (attributes: FieldAttributes) => JSX.Element;
}

/** The attributes that connect a control with its label and hint. */
export interface FieldAttributes {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: boolean;
}

/** A labelled control with a hint and an error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = hint !== undefined || error !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described && { "aria-describedby": `${id}-hint` }),
        ...(error !== undefined && { "aria-invalid": true }),
      })}
      {described && (
        <div id={`${id}-hint`} class={error === undefined ? "hint" : "hint error"}>
          {error ?? hint}
        </div>
      )}
    </div>
  );
}
