import { useSignal } from "@preact/signals";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import { LimitFacts, SpendMeter } from "@tollgate/page-kit/design/limits.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { addressOf } from "@tollgate/page-kit/state/location.ts";
import { useConfigured, useResource } from "@tollgate/page-kit/state/resource.ts";
import type { AccountDetail } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { AccountData } from "./account-data.tsx";
import { AccountLedger } from "./account-ledger.tsx";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { PostDialog } from "./post-dialog.tsx";
import { SpendLimitDialog } from "./spend-limit-dialog.tsx";

interface AccountPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

type Action = "credits" | "debits" | "limit" | "freeze" | "thaw";

/** One account with its balance, spend, terms and ledger. */
export function AccountPanel({ id, onClose, onChanged }: AccountPanelProps) {
  const account = useResource(operation("GET", "/accounts/:id", id), {}, 15_000);
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
      {...(may("operator") && {
        actions: (
          <AccountActions
            isNew={isNew}
            isFrozen={account.data.value?.frozen != null}
            open={(next) => (action.value = next)}
          />
        ),
      })}
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
      {!isNew && <AccountLedger key={changes.value} account={id} onChanged={changed} />}
      {!isNew && may("admin") && <AccountData account={id} onChanged={changed} />}
      {(open === "credits" || open === "debits") && (
        <PostDialog account={id} isNew={isNew} kind={open} onClose={close} onPosted={changed} />
      )}
      {(open === "freeze" || open === "thaw") && (
        <FreezeDialog account={id} verb={open} onClose={close} onChanged={changed} />
      )}
    </SidePanel>
  );
}

interface AccountActionsProps {
  readonly isNew: boolean;
  readonly isFrozen: boolean;
  readonly open: (action: Action) => void;
}

function AccountActions({ isNew, isFrozen, open }: AccountActionsProps) {
  return (
    <>
      {may("admin") && <Button onClick={() => open("credits")}>Credit</Button>}
      {may("admin") && !isNew && (
        <>
          <Button onClick={() => open("debits")}>Debit</Button>
          <Button onClick={() => open("limit")}>Spend limit</Button>
        </>
      )}
      {!isNew && <Button onClick={() => open(isFrozen ? "thaw" : "freeze")}>{isFrozen ? "Thaw" : "Freeze"}</Button>}
    </>
  );
}

function AccountFacts({ account }: { readonly account: AccountDetail }) {
  const plans = useConfigured(operation("GET", "/plans"));
  const hasBalance = account.billed || account.posted !== "0";
  return (
    <>
      {account.frozen !== null && (
        <p class="notice">
          Frozen since <Time at={account.frozen.at} />: {account.frozen.reason}
        </p>
      )}
      <Facts
        facts={[
          ["Plan", account.plans.length === 0 ? "No active key" : account.plans.join(", ")],
          ["Billing", account.billed ? undefined : "None: its plan is not billed"],
          ["Available", hasBalance ? <Money key="" amount={account.available} exact /> : undefined],
          ["Held", hasBalance ? <Money key="" amount={account.held} exact /> : undefined],
          ["Posted", hasBalance ? <Money key="" amount={account.posted} exact /> : undefined],
          ["Expires", account.expiring.length === 0 ? undefined : <Expiring key="" money={account.expiring} />],
          ["Credited in all", hasBalance ? <Money key="" amount={account.totals.credited} exact /> : undefined],
          ["Used in all", hasBalance ? <Money key="" amount={account.totals.used} exact /> : undefined],
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

/** What is left of the money that expires, the next first. */
function Expiring({ money }: { readonly money: AccountDetail["expiring"] }) {
  return (
    <ul class="stack tight">
      {money.map(({ amount, expires_at }) => (
        <li key={expires_at}>
          <Money amount={amount} exact />{" "}
          <span class="muted">
            on <Time at={expires_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
