import { useSignal } from "@preact/signals";
import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import { LimitFacts, SpendLimitText, SpendMeter } from "@tollgate/page-kit/design/limits.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { StateBadge } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { addressOf } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { CreatedKey, OwnKeyDetail } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may, me } from "../../state/me.ts";
import { texts } from "../../texts.ts";
import { RevokeKeyDialog, RotateKeyDialog } from "./end-key-dialogs.tsx";
import { EditKeyDialog } from "./key-form.tsx";

interface KeyPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  /** Called after a change. */
  readonly onChanged: () => unknown;
  readonly onSecret: (created: CreatedKey) => void;
}

const dialogs = { edit: EditKeyDialog, rotate: RotateKeyDialog, revoke: RevokeKeyDialog };
const pollMs = 15_000;

/** One key with its limits, spend, last use and actions. */
export function KeyPanel({ id, onClose, onChanged, onSecret }: KeyPanelProps) {
  const key = useResource(operation("GET", "/keys/:id", id), {}, pollMs);
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
  const mayChange = detail?.state === "active" && may("keys");
  return (
    <SidePanel
      kind={texts.keys.kind}
      title={detail?.name ?? id}
      row={id}
      onClose={onClose}
      {...(mayChange && { actions: <KeyActions open={(name) => (dialog.value = name)} /> })}
    >
      <Loaded resource={key} lines={10}>
        {(found) => <KeyFacts detail={found} />}
      </Loaded>
      {detail !== undefined && Opened !== undefined && <Opened detail={detail} onClose={close} onDone={done} />}
    </SidePanel>
  );
}

function KeyActions({ open }: { readonly open: (dialog: keyof typeof dialogs) => void }) {
  return (
    <>
      <Button onClick={() => open("edit")}>{texts.keys.edit}</Button>
      <Button onClick={() => open("rotate")}>{texts.keys.rotate}</Button>
      <Button onClick={() => open("revoke")}>{texts.keys.revoke}</Button>
    </>
  );
}

function KeyFacts({ detail: key }: { readonly detail: OwnKeyDetail }) {
  const names = texts.keys;
  const plan = me.value?.plan?.id === key.plan ? me.value.plan : undefined;
  const secret = <span class="mono">…{key.last_four}</span>;
  const spent =
    key.spend_state === null && key.spend !== null ? (
      <SpendLimitText limit={key.spend} />
    ) : (
      <SpendMeter state={key.spend_state} />
    );
  return (
    <>
      <Facts
        facts={[
          [names.state, <StateBadge key="" state={key.state} />],
          [names.id, <CopyId key="" id={key.id} />],
          [names.secret, secret],
          [names.plan, key.plan],
          [names.spent, spent],
          [names.models, key.models?.join(", ") ?? names.allModels],
          [names.lastUsed, key.last_used_at === null ? names.never : <Time key="" at={key.last_used_at} />],
          [names.created, <Time key="" at={key.created_at} />],
          [names.expires, key.expires_at === null ? names.never : <Time key="" at={key.expires_at} />],
          [names.revoked, key.revoked_at === null ? undefined : <Time key="" at={key.revoked_at} />],
          [names.rotatedFrom, key.rotated_from === null ? undefined : <CopyId key="" id={key.rotated_from} />],
        ]}
      />
      <p class="links">
        <a href={addressOf("requests", { key: key.id })}>{names.requestsOf}</a>
        <a href={addressOf("usage", { key: key.id })}>{names.usageOf}</a>
      </p>
      <Section title={names.limits}>
        <LimitFacts own={key.limits} plan={plan} />
      </Section>
    </>
  );
}
