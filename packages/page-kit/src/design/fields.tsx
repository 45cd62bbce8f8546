import type { Signal } from "@preact/signals";
import type { ComponentChildren, InputHTMLAttributes, JSX } from "preact";
import { useId } from "preact/hooks";
import type { SpendLimit } from "../api/answers.ts";
import type { Json } from "../api/operations.ts";
import { amountLabel } from "../state/currency.ts";
import { texts } from "../texts.ts";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

/** A labelled control with a hint and an error. The attributes connect the control with them. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & {
  readonly children: (attributes: {
    readonly id: string;
    readonly "aria-describedby"?: string;
    readonly "aria-invalid"?: boolean;
  }) => JSX.Element;
}) {
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

/** The attributes of a control in which a text is typed. */
export const typedInto = (text: Signal<string>) => ({
  value: text.value,
  onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void => {
    text.value = currentTarget.value;
  },
});

interface TextFieldProps extends FieldProps {
  readonly value: Signal<string>;
  readonly input?: InputHTMLAttributes;
  /** True: it has the focus when its dialog opens. */
  readonly first?: boolean;
}

/** A labelled line of text. */
export function TextField({ value, input, first, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(attributes) => (
        <input {...attributes} {...input} {...(first && { "data-first-focus": true })} {...typedInto(value)} />
      )}
    </Field>
  );
}

/** The attributes of an input for an amount. */
export const amountInput: InputHTMLAttributes = {
  inputMode: "decimal",
  pattern: "\\d+(\\.\\d{1,9})?",
  get title() {
    return texts.spend.amountTitle;
  },
};

interface JsonObjectFieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly hint?: ComponentChildren;
  readonly invalid: boolean;
}

/** A labelled JSON object to write. */
export function JsonObjectField({ label, value, hint, invalid }: JsonObjectFieldProps) {
  const error = invalid ? "This is not a JSON object. Correct it and try again." : undefined;
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <textarea {...attributes} class="mono" rows={4} spellcheck={false} {...typedInto(value)} />}
    </Field>
  );
}

/** Returns undefined for text that is no JSON object. */
export function parseObject(text: string): { readonly [name: string]: Json } | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The choices of a select with their labels. */
export type Choices<Value extends string = string> = readonly (readonly [value: Value, label: string])[];

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: Choices<Value>;
  readonly onChange: (value: Value) => void;
}

/** The attributes of a select, and its options. */
export const chosenFrom = <Value extends string>({ value, choices, onChange }: Omit<SelectProps<Value>, "label">) => ({
  value,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly selectedIndex: number } }): void =>
    onChange(choices[currentTarget.selectedIndex]?.[0] ?? value),
  children: choices.map(([choice, text]) => (
    <option key={choice} value={choice}>
      {text}
    </option>
  )),
});

/** A compact select whose label is read out and shown as its first word. */
export function Select<Value extends string>({ label, ...select }: SelectProps<Value>) {
  return (
    <label class="select">
      <span class="muted">{label}</span>
      <select {...chosenFrom(select)} />
    </label>
  );
}

/** A select in a form, below its label. */
export function SelectField<Value extends string>({
  label,
  hint,
  required = false,
  ...select
}: SelectProps<Value> & { readonly hint?: string; readonly required?: boolean }) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => <select {...attributes} required={required} {...chosenFrom(select)} />}
    </Field>
  );
}

const windows: readonly SpendLimit["window"][] = ["day", "week", "month", "total"];

interface SpendFieldsProps {
  /** An empty limit means none. */
  readonly limit: Signal<string>;
  readonly window: Signal<SpendLimit["window"]>;
  /** Separated by commas. Empty: all. */
  readonly models: Signal<string>;
  readonly error?: string | undefined;
}

/** The fields of a spend limit. */
export function SpendFields({ limit, window, models, error }: SpendFieldsProps) {
  return (
    <>
      <div class="pair">
        <TextField
          label={amountLabel(texts.spend.limit)}
          hint={texts.spend.empty}
          error={error}
          value={limit}
          input={amountInput}
        />
        <SelectField
          label={texts.spend.per}
          value={window.value}
          choices={windows.map((each) => [each, texts.spend[each]] as const)}
          onChange={(chosen) => (window.value = chosen)}
        />
      </div>
      <TextField label={texts.spend.models} hint={texts.spend.modelsHint} value={models} />
    </>
  );
}

/** Returns the models of {@link SpendFields} for the body of a change. */
export function spendModelsOf(typed: string): { readonly models?: readonly string[] } {
  const models = typed.split(",").flatMap((id) => id.trim() || []);
  return models.length === 0 ? {} : { models };
}
