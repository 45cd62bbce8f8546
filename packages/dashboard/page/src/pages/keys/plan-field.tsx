import type { Signal } from "@preact/signals";
import type { Plan } from "../../api/keys.ts";
import { Field } from "../../design/field.tsx";

interface PlanFieldProps {
  /** Undefined while loading. */
  readonly plans: readonly Plan[] | undefined;
  readonly value: Signal<string>;
}

/** The plan of a key. The first one is chosen. */
export function PlanField({ plans, value }: PlanFieldProps) {
  return (
    <Field label="Plan" hint="Plans are configured in the gateway.">
      {(attributes) => (
        <select
          {...attributes}
          required
          value={value.value || plans?.[0]?.id}
          onChange={(event) => (value.value = event.currentTarget.value)}
        >
          {plans === undefined && <option value="">Loading…</option>}
          {plans?.map(({ id, billing }) => (
            <option key={id} value={id}>
              {id} ({billing})
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
