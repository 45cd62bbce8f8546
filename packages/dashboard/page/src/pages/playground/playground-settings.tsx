import { useSignal } from "@preact/signals";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import {
  type Choices,
  Field,
  JsonObjectField,
  parseObject,
  SelectField,
  TextField,
  typedInto,
} from "@tollgate/page-kit/design/fields.tsx";
import type { Address } from "@tollgate/page-kit/state/location.ts";
import { draft, type PlaygroundChoices, type PlaygroundTarget, startAgain } from "./draft.ts";

interface PlaygroundSettingsProps {
  readonly at: Address;
  readonly target: PlaygroundTarget;
  readonly choices: PlaygroundChoices;
}

/** Whom one talks to, who pays, and how the model is asked. */
export function PlaygroundSettings({ at, target, choices }: PlaygroundSettingsProps) {
  const { mode } = target;
  const change = (changes: Record<string, string | undefined>): void => {
    startAgain();
    at.go(changes, true);
  };
  return (
    <div class="settings">
      <fieldset class="tabs" aria-label="Talk to">
        {(["model", "assistant"] as const).map((each) => (
          <Button
            key={each}
            look={each === mode ? "chosen" : undefined}
            aria-pressed={each === mode}
            onClick={() => change({ mode: each === "model" ? undefined : each })}
          >
            {each === "model" ? "Model" : "Assistant"}
          </Button>
        ))}
      </fieldset>
      <SelectField
        label={mode === "model" ? "Model" : "Assistant"}
        value={target.id}
        choices={idChoices(mode === "model" ? choices.models : choices.assistants)}
        onChange={(id) => change({ [mode]: id })}
      />
      <AccountField account={target.account} onChange={(account) => change({ account })} />
      <SelectField
        label="Plan"
        value={target.plan}
        choices={idChoices(choices.plans)}
        onChange={(plan) => change({ plan })}
      />
      {mode === "model" ? <Sampling /> : <ClientData />}
    </div>
  );
}

/** The choices among what the host configures. */
const idChoices = (configured: readonly { readonly id: string }[]): Choices =>
  configured.length === 0 ? [["", "None configured"]] : configured.map(({ id }) => [id, id]);

function AccountField(props: { readonly account: string; readonly onChange: (account: string) => void }) {
  const { account, onChange } = props;
  const typed = useSignal(account);
  return (
    <Field label="Account" hint="It pays. Messages use a key of five minutes, which the audit log records.">
      {(attributes) => (
        <input
          {...attributes}
          data-search
          autocomplete="off"
          {...typedInto(typed)}
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
      <Field label="System message">{(attributes) => <textarea {...attributes} {...typedInto(draft.system)} />}</Field>
      <div class="pair">
        <TextField label="Temperature" value={draft.temperature} input={{ inputMode: "decimal" }} />
        <TextField label="Max tokens" value={draft.maxTokens} input={{ inputMode: "numeric" }} />
      </div>
    </>
  );
}
