import type { Choices } from "./choices.ts";

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: Choices;
  readonly onChange: (value: string) => void;
}

/** A compact select whose label is read out and shown as its first word. */
export function Select({ label, value, choices, onChange }: SelectProps) {
  return (
    <label class="select">
      <span class="muted">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
