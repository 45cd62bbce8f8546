import { useSignal } from "@preact/signals";
import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { JsonBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { Button, ObjectLink } from "@tollgate/page-kit/design/controls.tsx";
import { Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import { LimitFacts, SpendLimitText, SpendMeter } from "@tollgate/page-kit/design/limits.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { StateBadge } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { addressOf } from "@tollgate/page-kit/state/location.ts";
import { useConfigured, useResource } from "@tollgate/page-kit/state/resource.ts";
import type { CreatedKey, KeyDetail, Plan, SpendLimit } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { RevokeKeyDialog, RotateKeyDialog } from "./end-key-dialogs.tsx";
import { EditKeyDialog } from "./key-form.tsx";

interface KeyPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  /** Called after a change. */
  readonly onChanged: () => unknown;
  readonly onSecret: (created: CreatedKey) => void;
}

/** One key with its limits, spend, last use and actions. */
export function KeyPanel({ id, onClose, onChanged, onSecret }: KeyPanelProps) {
  const key = useResource(operation("GET", "/keys/:id", id), {}, 15_000);
  const dialog = useSignal<keyof typeof dialogs | undefined>(undefined);
  const close = (): void => {
    dialog.value = undefined;
  };
  const done = async (created?: CreatedKey): Promise<void> => {
    close();
    if (created !== undefined) onSecret(created);
    await key.reload();
    onChanged();
  };
  const detail = key.data.value;
  const Opened = dialog.value && dialogs[dialog.value];
  return (
    <SidePanel
      kind="Key"
      title={detail?.name ?? id}
      row={id}
      onClose={onClose}
      {...(detail?.state === "active" &&
        may("operator") && { actions: <KeyActions open={(name) => (dialog.value = name)} /> })}
    >
      <Loaded resource={key} lines={10}>
        {(found) => <KeyFacts detail={found} />}
      </Loaded>
      {detail !== undefined && Opened !== undefined && <Opened detail={detail} onClose={close} onDone={done} />}
    </SidePanel>
  );
}

const dialogs = { edit: EditKeyDialog, rotate: RotateKeyDialog, revoke: RevokeKeyDialog };

function KeyActions({ open }: { readonly open: (dialog: keyof typeof dialogs) => void }) {
  return (
    <>
      <Button onClick={() => open("edit")}>Edit</Button>
      <Button onClick={() => open("rotate")}>Rotate</Button>
      <Button onClick={() => open("revoke")}>Revoke</Button>
    </>
  );
}

/** What was spent of the limit; the limit alone where the host has no store that knows. */
function KeySpend({ detail: { spend, spend_state: state } }: { readonly detail: KeyDetail }) {
  return state === null && spend !== null ? <SpendLimitText limit={spend} /> : <SpendMeter state={state} />;
}

/** The default limit of each account of the plan, unless the account has one of its own. */
function PlanSpend({ plan, spend }: { readonly plan: Plan; readonly spend: SpendLimit }) {
  return (
    <>
      <SpendLimitText limit={spend} />{" "}
      <span class="muted">· from the plan {plan.id}, unless the account has its own</span>
    </>
  );
}

function KeyFacts({ detail: key }: { readonly detail: KeyDetail }) {
  const plan = useConfigured(operation("GET", "/plans"))?.find(({ id }) => id === key.plan);
  return (
    <>
      <Facts
        facts={[
          ["State", <StateBadge key="" state={key.state} />],
          ["Id", <CopyId key="" id={key.id} />],
          [
            "Secret",
            <span key="" class="mono">
              …{key.last_four}
            </span>,
          ],
          ["Account", <ObjectLink key="" page="accounts" id={key.account} />],
          ["Plan", plan?.billing === "none" ? `${key.plan} (not billed)` : key.plan],
          ["Spend", <KeySpend key="" detail={key} />],
          ["Account’s spend", plan?.spend == null ? undefined : <PlanSpend key="" plan={plan} spend={plan.spend} />],
          ["Models", key.models === null ? "All of the plan" : key.models.join(", ")],
          ["Dialects", key.dialects === null ? "All of the plan" : key.dialects.join(", ")],
          ["Scopes", key.scopes === null ? "All" : key.scopes.join(", ") || "None"],
          ["Tags", key.tags.length === 0 ? undefined : key.tags.join(", ")],
          ["Content", key.log_content === true ? "Stored for each request" : "Not stored"],
          ["Last used", key.last_used_at === null ? "Never" : <Time key="" at={key.last_used_at} />],
          ["Created", <Time key="" at={key.created_at} />],
          ["Expires", key.expires_at === null ? "Never" : <Time key="" at={key.expires_at} />],
          ["Revoked", key.revoked_at === null ? undefined : <Time key="" at={key.revoked_at} />],
          ["Rotated from", key.rotated_from === null ? undefined : <CopyId key="" id={key.rotated_from} />],
        ]}
      />
      <p class="links">
        <a href={addressOf("requests", { key: key.id })}>Requests of this key</a>
        <a href={addressOf("usage", { key: key.id })}>Usage of this key</a>
      </p>
      <Section title="Limits">
        <LimitFacts own={key.limits} plan={plan} />
      </Section>
      {key.features !== null && (
        <Section title="Features">
          <JsonBlock label="Features" value={key.features} />
        </Section>
      )}
    </>
  );
}
