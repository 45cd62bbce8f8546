import type { Signal } from "@preact/signals";
import type { SpendLimit } from "../api/spend.ts";
import { amountLabel } from "../state/me.ts";
import { Field } from "./field.tsx";

/** A spend limit while it is typed. An empty limit means none. */
export interface SpendDraft {
  readonly limit: Signal<string>;
  readonly window: Signal<SpendLimit["window"]>;
}

const windows = [
  ["day", "Day"],
  ["week", "Week"],
  ["month", "Month"],
  ["total", "In total"],
] as const;

/** The fields of a spend limit. */
export function SpendFields({ draft, error }: { readonly draft: SpendDraft; readonly error?: string | undefined }) {
  return (
    <div class="pair">
      <Field label={amountLabel("Spend limit")} hint="Empty: no limit" error={error}>
        {(attributes) => (
          <input
            {...attributes}
            inputMode="decimal"
            pattern="\d+(\.\d{1,9})?"
            title="An amount such as 50 or 12.50"
            value={draft.limit.value}
            onInput={(event) => (draft.limit.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Per">
        {(attributes) => (
          <select
            {...attributes}
            value={draft.window.value}
            onChange={({ currentTarget: { selectedIndex } }) =>
              (draft.window.value = windows[selectedIndex]?.[0] ?? draft.window.value)
            }
          >
            {windows.map(([window, title]) => (
              <option key={window} value={window}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
