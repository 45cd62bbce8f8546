import { type Signal, useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { type Choices, SelectField, SpendFields, spendModelsOf, TextField } from "@tollgate/page-kit/design/fields.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import { useConfigured } from "@tollgate/page-kit/state/resource.ts";
import type { CreatedKey, KeyDetail, NewKey, SpendLimit } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";

interface CreateKeyDialogProps {
  readonly account: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedKey) => void;
}

/** The form of a new key. */
export function CreateKeyDialog({ account, onClose, onCreated }: CreateKeyDialogProps) {
  const plans = useConfigured(operation("GET", "/plans"));
  const draft = useDraft(account ?? "");
  const plan = draft.plan.value || plans?.[0]?.id || "";
  const creating = useChange();
  const problem = (param: string): string | undefined =>
    creating.error.value?.param === param ? creating.error.value.message : undefined;
  return (
    <FormDialog
      title="Create key"
      action="Create key"
      send={() => change(operation("POST", "/keys"), bodyOf(draft, plan))}
      onDone={(created) => {
        onClose();
        onCreated(created);
      }}
      onClose={onClose}
      change={creating}
    >
      <TextField
        label="Account"
        value={draft.account}
        hint="Your id of the customer who pays."
        error={problem("account")}
        input={{ required: true, autocomplete: "off", spellcheck: false }}
        first
      />
      <TextField label="Name" value={draft.name} hint="Shown in lists, such as “production”." error={problem("name")} />
      <SelectField
        label="Plan"
        hint="Plans are configured in the gateway."
        required
        value={plan}
        choices={plans?.map(({ id, billing }) => [id, `${id} (${billing})`]) ?? [["", "Loading…"]]}
        onChange={(id) => (draft.plan.value = id)}
      />
      <ModelChoice chosen={draft.models} />
      <ScopeField scope={draft.scope} />
      <SpendFields limit={draft.limit} window={draft.window} models={draft.limitedModels} error={problem("spend")} />
      <div class="pair">
        <TextField label="Tags" value={draft.tags} hint="Separated by commas" error={problem("tags")} />
        <TextField
          label="Expires"
          value={draft.expires}
          hint="Empty: never"
          error={problem("expires_at")}
          input={{ type: "date" }}
        />
      </div>
    </FormDialog>
  );
}

function useDraft(account: string) {
  return {
    account: useSignal(account),
    name: useSignal(""),
    plan: useSignal(""),
    models: useSignal<readonly string[]>([]),
    scope: useSignal<ScopeChoice>("all"),
    limit: useSignal(""),
    window: useSignal<SpendLimit["window"]>("month"),
    limitedModels: useSignal(""),
    tags: useSignal(""),
    expires: useSignal(""),
  };
}

function bodyOf(draft: ReturnType<typeof useDraft>, plan: string): NewKey {
  const name = draft.name.value.trim();
  const limit = draft.limit.value.trim();
  const tags = tagsOf(draft.tags.value);
  const scopes = scopesOf(draft.scope.value);
  return {
    account: draft.account.value.trim(),
    plan,
    ...(name !== "" && { name }),
    ...(draft.models.value.length > 0 && { models: draft.models.value }),
    ...(scopes !== null && { scopes }),
    ...(limit !== "" && {
      spend: { limit, window: draft.window.value, ...spendModelsOf(draft.limitedModels.value) },
    }),
    ...(tags.length > 0 && { tags }),
    ...(draft.expires.value !== "" && { expires_at: endOfDay(draft.expires.value) }),
  };
}

const tagsOf = (typed: string): string[] => typed.split(",").flatMap((tag) => tag.trim() || []);

/** The end of a day in the viewer's zone. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** What a dialog about a key gets. */
export interface KeyDialogProps {
  readonly detail: KeyDetail;
  readonly onClose: () => void;
  /** Called after the change, with the new key if it made one. */
  readonly onDone: (created?: CreatedKey) => unknown;
}

/** The form that changes a key. An empty field removes its value. */
export function EditKeyDialog({ detail, onClose, onDone }: KeyDialogProps) {
  const name = useSignal(detail.name ?? "");
  const models = useSignal<readonly string[]>(detail.models ?? []);
  const scope = useSignal(choiceOf(detail));
  const limit = useSignal(detail.spend?.limit ?? "");
  const window = useSignal(detail.spend?.window ?? "month");
  const limitedModels = useSignal(detail.spend?.models?.join(", ") ?? "");
  const tags = useSignal(detail.tags.join(", "));
  const send = (): Promise<unknown> => {
    const amount = limit.value.trim();
    return change(operation("PATCH", "/keys/:id", detail.id), {
      name: name.value.trim() || null,
      models: models.value.length === 0 ? null : models.value,
      scopes: scopesOf(scope.value),
      tags: tagsOf(tags.value),
      spend:
        amount === ""
          ? null
          : {
              limit: amount,
              window: window.value,
              ...(detail.spend && { timezone: detail.spend.timezone }),
              ...spendModelsOf(limitedModels.value),
            },
    });
  };
  return (
    <FormDialog
      title={`Edit ${detail.name ?? detail.id}`}
      action="Save"
      send={send}
      onDone={() => onDone()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} first />
      <ModelChoice chosen={models} />
      <ScopeField scope={scope} />
      <SpendFields limit={limit} window={window} models={limitedModels} />
      <TextField label="Tags" value={tags} hint="Separated by commas" />
    </FormDialog>
  );
}

type ScopeChoice = "all" | "inference" | "account:read" | "none";

const scopeChoices: Choices<ScopeChoice> = [
  ["all", "Call models, and read the account"],
  ["inference", "Call models only"],
  ["account:read", "Read balance, usage and receipts only"],
];

const choiceOf = ({ scopes }: Pick<KeyDetail, "scopes">): ScopeChoice =>
  scopes === null || scopes.length > 1 ? "all" : (scopes[0] ?? "none");

const scopesOf = (choice: ScopeChoice) => (choice === "all" ? null : choice === "none" ? [] : [choice]);

/** What a key may do. Only a key that may do nothing has this choice. */
function ScopeField({ scope }: { readonly scope: Signal<ScopeChoice> }) {
  const choices: Choices<ScopeChoice> = scope.value === "none" ? [...scopeChoices, ["none", "Nothing"]] : scopeChoices;
  return (
    <SelectField label="May" value={scope.value} choices={choices} onChange={(chosen) => (scope.value = chosen)} />
  );
}

/** The models that a key may use. None chosen means all of its plan. */
function ModelChoice({ chosen }: { readonly chosen: Signal<readonly string[]> }) {
  const models = useConfigured(operation("GET", "/models"));
  const toggle = (id: string, on: boolean): void => {
    chosen.value = on ? [...chosen.value, id] : chosen.value.filter((each) => each !== id);
  };
  return (
    <details class="choice" open={chosen.value.length > 0}>
      <summary>
        Models{" "}
        <span class="muted">{chosen.value.length === 0 ? "All of the plan" : `${chosen.value.length} chosen`}</span>
      </summary>
      <div class="checks">
        {models?.map(({ id }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.value.includes(id)}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
            />
            {id}
          </label>
        ))}
      </div>
    </details>
  );
}
