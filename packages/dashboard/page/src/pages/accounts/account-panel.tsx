import { useSignal } from "@preact/signals";
import type { AccountDetail } from "../../api/answers.ts";
import { Button } from "../../design/controls.tsx";
import { Facts, Section } from "../../design/layout.tsx";
import { LimitFacts, SpendMeter } from "../../design/limits.tsx";
import { Loaded } from "../../design/loaded.tsx";
import { SidePanel } from "../../design/side-panel.tsx";
import { Money, Time } from "../../design/values.tsx";
import { addressOf } from "../../state/location.ts";
import { may } from "../../state/me.ts";
import { useConfigured, useResource } from "../../state/resource.ts";
import { PostDialog, SpendLimitDialog } from "./account-dialogs.tsx";
import { AccountLedger } from "./account-ledger.tsx";

interface AccountPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

type Action = "credits" | "debits" | "limit";

/** One account with its balance, spend, terms and ledger. */
export function AccountPanel({ id, onClose, onChanged }: AccountPanelProps) {
  const path = `accounts/${encodeURIComponent(id)}`;
  const account = useResource<AccountDetail>(path, {}, 15_000);
  const action = useSignal<Action | undefined>(undefined);
  const changes = useSignal(0);
  const close = (): void => {
    action.value = undefined;
  };
  const changed = async (): Promise<void> => {
    close();
    changes.value++;
    await account.reload();
    onChanged();
  };
  const open = action.value;
  const isNew = account.error.value?.status === 404 && account.error.value.code === "resource_not_found";
  return (
    <SidePanel
      kind="Account"
      title={id}
      row={id}
      onClose={onClose}
      {...(may("admin") && { actions: <AccountActions isNew={isNew} open={(next) => (action.value = next)} /> })}
    >
      {isNew ? (
        <p class="notice">
          There is no account <strong>{id}</strong> yet. Its first key or credit creates it.
        </p>
      ) : (
        <Loaded resource={account}>
          {(detail) => (
            <>
              <AccountFacts account={detail} />
              {open === "limit" && <SpendLimitDialog account={detail} onClose={close} onChanged={changed} />}
            </>
          )}
        </Loaded>
      )}
      {!isNew && <AccountLedger key={changes.value} account={id} />}
      {(open === "credits" || open === "debits") && (
        <PostDialog account={id} isNew={isNew} kind={open} onClose={close} onPosted={changed} />
      )}
    </SidePanel>
  );
}

function AccountActions({ isNew, open }: { readonly isNew: boolean; readonly open: (action: Action) => void }) {
  return (
    <>
      <Button onClick={() => open("credits")}>Credit</Button>
      {!isNew && (
        <>
          <Button onClick={() => open("debits")}>Debit</Button>
          <Button onClick={() => open("limit")}>Spend limit</Button>
        </>
      )}
    </>
  );
}

function AccountFacts({ account }: { readonly account: AccountDetail }) {
  const plans = useConfigured("plans");
  const hasBalance = account.billed || account.posted !== "0";
  return (
    <>
      <Facts
        facts={[
          ["Plan", account.plans.length === 0 ? "No active key" : account.plans.join(", ")],
          ["Billing", account.billed ? undefined : "None: its plan is not billed"],
          ["Available", hasBalance ? <Money key="" amount={account.available} exact /> : undefined],
          ["Held", hasBalance ? <Money key="" amount={account.held} exact /> : undefined],
          ["Posted", hasBalance ? <Money key="" amount={account.posted} exact /> : undefined],
          ["Spend", <SpendMeter key="" state={account.spend} />],
          [
            "Keys",
            <a key="" href={addressOf("keys", { account: account.id })}>
              {String(account.keys)}
            </a>,
          ],
        ]}
      />
      <p class="links">
        <a href={addressOf("requests", { account: account.id })}>Requests of this account</a>
        <a href={addressOf("usage", { account: account.id })}>Usage of this account</a>
      </p>
      {plans !== undefined &&
        account.plans.map((name) => (
          <Section
            key={name}
            title={account.plans.length === 1 ? "Limits of each key" : `Limits of each key of ${name}`}
          >
            <LimitFacts own={null} plan={plans.find(({ id }) => id === name)} />
          </Section>
        ))}
      <Section title="Terms accepted">
        {account.terms.length === 0 && <p class="muted">This account has accepted no terms.</p>}
        <Facts
          facts={account.terms.map((each) => [each.version ?? each.version_id, <Time key="" at={each.accepted_at} />])}
        />
      </Section>
    </>
  );
}
