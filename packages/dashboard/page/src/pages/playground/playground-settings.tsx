import { useSignal } from "@preact/signals";
import { Field } from "../../design/field.tsx";
import { JsonObjectField, parseObject } from "../../design/json-object-field.tsx";
import { TextField } from "../../design/text-field.tsx";
import type { Address } from "../../state/location.ts";
import { draft, startAgain } from "./draft.ts";
import type { PlaygroundChoices, PlaygroundTarget } from "./target.ts";

interface PlaygroundSettingsProps {
  readonly at: Address;
  readonly target: PlaygroundTarget;
  readonly choices: PlaygroundChoices;
}

/** Whom one talks to, who pays, and how the model is asked. */
export function PlaygroundSettings({ at, target, choices }: PlaygroundSettingsProps) {
  const { mode } = target;
  const names = (mode === "model" ? choices.models : choices.assistants).map(({ id }) => id);
  const change = (changes: Record<string, string | undefined>): void => {
    startAgain();
    at.go(changes, true);
  };
  return (
    <div class="settings">
      <fieldset class="tabs" aria-label="Talk to">
        {(["model", "assistant"] as const).map((each) => (
          <button
            key={each}
            type="button"
            class={each === mode ? "button chosen" : "button"}
            aria-pressed={each === mode}
            onClick={() => change({ mode: each === "model" ? undefined : each })}
          >
            {each === "model" ? "Model" : "Assistant"}
          </button>
        ))}
      </fieldset>
      <Choice
        label={mode === "model" ? "Model" : "Assistant"}
        value={target.id}
        choices={names}
        onChange={(id) => change({ [mode]: id })}
      />
      <AccountField account={target.account} onChange={(account) => change({ account })} />
      <Choice
        label="Plan"
        value={target.plan}
        choices={choices.plans.map(({ id }) => id)}
        onChange={(plan) => change({ plan })}
      />
      {mode === "model" ? <Sampling /> : <ClientData />}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.length === 0 && <option value="">None configured</option>}
          {choices.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface AccountFieldProps {
  readonly account: string;
  readonly onChange: (account: string) => void;
}

function AccountField({ account, onChange }: AccountFieldProps) {
  const typed = useSignal(account);
  return (
    <Field label="Account" hint="It pays. Messages use a key of five minutes, which the audit log records.">
      {(attributes) => (
        <input
          {...attributes}
          data-search
          autocomplete="off"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
          onChange={() => onChange(typed.value.trim())}
        />
      )}
    </Field>
  );
}

function ClientData() {
  return (
    <JsonObjectField
      label="Client data"
      value={draft.clientData}
      hint="Variables of the webhooks. The session gets them with the first message."
      invalid={parseObject(draft.clientData.value) === undefined}
    />
  );
}

function Sampling() {
  return (
    <>
      <Field label="System message">
        {(attributes) => (
          <textarea
            {...attributes}
            value={draft.system.value}
            onInput={(event) => (draft.system.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="pair">
        <TextField label="Temperature" value={draft.temperature} input={{ inputMode: "decimal" }} />
        <TextField label="Max tokens" value={draft.maxTokens} input={{ inputMode: "numeric" }} />
      </div>
    </>
  );
}
