import { useSignal } from "@preact/signals";
import { change, read } from "../../api/client.ts";
import type { Page } from "../../api/common.ts";
import type { CreatedKey, NewKey, Plan } from "../../api/keys.ts";
import type { SpendLimit } from "../../api/spend.ts";
import { FormDialog } from "../../design/form-dialog.tsx";
import { SpendFields } from "../../design/spend-fields.tsx";
import { TextField } from "../../design/text-field.tsx";
import { useChange } from "../../state/change.ts";
import { useResource } from "../../state/resource.ts";
import { ModelChoice } from "./model-choice.tsx";
import { PlanField } from "./plan-field.tsx";

interface CreateKeyDialogProps {
  readonly account: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedKey) => void;
}

/** The form of a new key. */
export function CreateKeyDialog({ account, onClose, onCreated }: CreateKeyDialogProps) {
  const plans = useResource<Page<Plan>>("plans", (signal) => read("plans", {}, signal));
  const draft = useDraft(account ?? "");
  const creating = useChange();
  const problem = (param: string): string | undefined =>
    creating.error.value?.param === param ? creating.error.value.message : undefined;
  const submit = async (): Promise<void> => {
    const plan = draft.plan.value || plans.data.value?.data[0]?.id || "";
    const created = await creating.run(() => change<CreatedKey>("POST", "keys", bodyOf(draft, plan)));
    if (created === undefined) return;
    onClose();
    onCreated(created);
  };
  return (
    <FormDialog
      title="Create key"
      action="Create key"
      change={creating}
      onSubmit={() => void submit()}
      onClose={onClose}
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
      <PlanField plans={plans.data.value?.data} value={draft.plan} />
      <ModelChoice chosen={draft.models} />
      <SpendFields draft={draft} error={problem("spend")} />
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
    limit: useSignal(""),
    window: useSignal<SpendLimit["window"]>("month"),
    tags: useSignal(""),
    expires: useSignal(""),
  };
}

function bodyOf(draft: ReturnType<typeof useDraft>, plan: string): NewKey {
  const name = draft.name.value.trim();
  const limit = draft.limit.value.trim();
  const tags = draft.tags.value.split(",").flatMap((tag) => tag.trim() || []);
  return {
    account: draft.account.value.trim(),
    plan,
    ...(name !== "" && { name }),
    ...(draft.models.value.length > 0 && { models: draft.models.value }),
    ...(limit !== "" && { spend: { limit, window: draft.window.value } }),
    ...(tags.length > 0 && { tags }),
    ...(draft.expires.value !== "" && { expires_at: endOfDay(draft.expires.value) }),
  };
}

/** The end of a day in the viewer's zone. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();
