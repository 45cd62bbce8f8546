import { useSignal } from "@preact/signals";
import { read } from "../../api/client.ts";
import type { CreatedKey, KeyDetail, Plan } from "../../api/keys.ts";
import type { SpendLimit } from "../../api/spend.ts";
import { CopyId } from "../../design/copy-id.tsx";
import { Facts } from "../../design/facts.tsx";
import { JsonBlock } from "../../design/json-block.tsx";
import { LimitFacts } from "../../design/limit-facts.tsx";
import { Problem } from "../../design/problem.tsx";
import { Section } from "../../design/section.tsx";
import { SidePanel } from "../../design/side-panel.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { SpendLimitText } from "../../design/spend-limit-text.tsx";
import { SpendMeter } from "../../design/spend-meter.tsx";
import { Time } from "../../design/time.tsx";
import { addressOf } from "../../state/location.ts";
import { may } from "../../state/me.ts";
import { usePlans } from "../../state/plans.ts";
import { useResource } from "../../state/resource.ts";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { KeyStateBadge } from "./key-state-badge.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

interface KeyPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  /** Called after a change. */
  readonly onChanged: () => unknown;
  readonly onSecret: (created: CreatedKey) => void;
}

/** One key with its limits, spend, last use and actions. */
export function KeyPanel({ id, onClose, onChanged, onSecret }: KeyPanelProps) {
  const path = `keys/${encodeURIComponent(id)}`;
  const { data, error, reload } = useResource<KeyDetail>(path, (signal) => read(path, {}, signal), { pollMs: 15_000 });
  const dialog = useSignal<"edit" | "rotate" | "revoke" | undefined>(undefined);
  const key = data.value;
  const close = (): void => {
    dialog.value = undefined;
  };
  const changed = async (): Promise<void> => {
    close();
    await reload();
    onChanged();
  };
  return (
    <SidePanel
      kind="Key"
      title={key?.name ?? id}
      row={id}
      onClose={onClose}
      {...(key?.state === "active" &&
        may("operator") && { actions: <KeyActions open={(name) => (dialog.value = name)} /> })}
    >
      <Problem error={error.value} retry={reload} />
      {key === undefined ? error.value === undefined && <Skeleton lines={10} /> : <KeyFacts detail={key} />}
      {key !== undefined && dialog.value === "edit" && (
        <EditKeyDialog detail={key} onClose={close} onChanged={changed} />
      )}
      {key !== undefined && dialog.value === "revoke" && (
        <RevokeKeyDialog detail={key} onClose={close} onChanged={changed} />
      )}
      {key !== undefined && dialog.value === "rotate" && (
        <RotateKeyDialog
          detail={key}
          onClose={close}
          onRotated={(created) => {
            void changed();
            onSecret(created);
          }}
        />
      )}
    </SidePanel>
  );
}

function KeyActions({ open }: { readonly open: (dialog: "edit" | "rotate" | "revoke") => void }) {
  return (
    <>
      <button type="button" class="button" onClick={() => open("edit")}>
        Edit
      </button>
      <button type="button" class="button" onClick={() => open("rotate")}>
        Rotate
      </button>
      <button type="button" class="button" onClick={() => open("revoke")}>
        Revoke
      </button>
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
  const plan = usePlans()?.find(({ id }) => id === key.plan);
  return (
    <>
      <Facts
        facts={[
          ["State", <KeyStateBadge key="" state={key.state} />],
          ["Id", <CopyId key="" id={key.id} />],
          [
            "Secret",
            <span key="" class="mono">
              …{key.last_four}
            </span>,
          ],
          [
            "Account",
            <a key="" href={addressOf("accounts", { id: key.account })}>
              {key.account}
            </a>,
          ],
          ["Plan", plan?.billing === "none" ? `${key.plan} (not billed)` : key.plan],
          ["Spend", <KeySpend key="" detail={key} />],
          ["Account’s spend", plan?.spend == null ? undefined : <PlanSpend key="" plan={plan} spend={plan.spend} />],
          ["Models", key.models === null ? "All of the plan" : key.models.join(", ")],
          ["Dialects", key.dialects === null ? "All of the plan" : key.dialects.join(", ")],
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
