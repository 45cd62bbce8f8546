import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { Button, ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { SearchField } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { SpendLimitText } from "@tollgate/page-kit/design/limits.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { Badge } from "@tollgate/page-kit/design/states.tsx";
import { Money } from "@tollgate/page-kit/design/values.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { useAddress } from "@tollgate/page-kit/state/location.ts";
import type { Account, LedgerVerdict } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { noEntryFilter } from "./account-ledger.tsx";
import { AccountPanel } from "./account-panel.tsx";

const columns: readonly Column<Account>[] = [
  {
    header: "Account",
    cell: ({ id, frozen }) => (
      <>
        {id} {frozen !== null && <Badge tone="warning">Frozen</Badge>}
      </>
    ),
    narrow: (account) => account.plans.join(", "),
  },
  { header: "Plan", wideOnly: true, cell: (account) => account.plans.join(", ") || <span class="muted">No key</span> },
  { header: "Available", numeric: true, cell: (account) => <Available account={account} /> },
  { header: "Held", numeric: true, wideOnly: true, cell: (account) => <Money amount={account.held} /> },
  { header: "Posted", numeric: true, wideOnly: true, cell: (account) => <Money amount={account.posted} /> },
  {
    header: "Spent",
    numeric: true,
    cell: ({ spend }) => (spend === null ? <span class="muted">No limit</span> : <Money amount={spend.spent} />),
  },
  {
    header: "Spend limit",
    numeric: true,
    wideOnly: true,
    cell: ({ spend }) => (
      <>
        <SpendLimitText limit={spend} />
        {spend?.source === "plan" && <span class="muted"> · plan</span>}
      </>
    ),
  },
];

/** What an account can spend; that of plans without billing does not matter. */
function Available({ account }: { readonly account: Account }) {
  return account.billed || account.posted !== "0" ? (
    <Money amount={account.available} />
  ) : (
    <span class="muted">Not billed</span>
  );
}

const withoutPanel = { id: undefined, ...noEntryFilter };

const accounts = operation("GET", "/accounts");

/** Who has which balance. */
export function AccountsPage() {
  const at = useAddress();
  const query = { prefix: at.query["prefix"] };
  const list = useList(accounts, query, ({ id }) => id);
  const id = at.query["id"];
  return (
    <>
      <PageHeader title="Accounts" updatedAt={list.updatedAt.value}>
        <ExportCsv list={accounts} query={query} name="accounts" />
        {may("admin") && <VerifyLedger />}
      </PageHeader>
      <div class="toolbar">
        <SearchField
          label="Id begins with"
          value={at.query["prefix"] ?? ""}
          onSearch={(prefix) => at.go({ prefix }, true)}
        />
        {query.prefix !== undefined && (
          // A new account is in no list yet.
          <a class="button" href={at.href({ id: query.prefix })}>
            Open {query.prefix}
          </a>
        )}
      </div>
      <ListTable
        label="Accounts"
        list={list}
        columns={columns}
        address={at}
        filters={["prefix"]}
        empty={
          <EmptyState
            title="No accounts yet"
            action={
              may("operator") && (
                <a class="button primary" href="keys?new=1">
                  Create a key
                </a>
              )
            }
          >
            An account appears here with its first key or credit. Create a key for it to begin.
          </EmptyState>
        }
      />
      {id !== undefined && (
        <AccountPanel key={id} id={id} onClose={() => at.go(withoutPanel)} onChanged={list.reload} />
      )}
    </>
  );
}

/** Compares every balance with its ledger. */
function VerifyLedger() {
  const verifying = useChange();
  const verdict = useSignal<LedgerVerdict | undefined>(undefined);
  const run = async (): Promise<void> => {
    verdict.value = await verifying.run(() => change(operation("POST", "/ledger/verify"), undefined));
  };
  const found = verdict.value;
  return (
    <>
      <Button disabled={verifying.running.value} onClick={() => void run()}>
        {verifying.running.value ? "Verifying…" : "Verify ledger"}
      </Button>
      <Problem error={verifying.error.value} />
      {found !== undefined && (
        <div class="notice full-width" role="status">
          {found.ok ? "Every balance is the sum of its ledger." : `${found.violations.length} accounts do not add up:`}
          <ul>
            {found.violations.map(({ account, problem }) => (
              <li key={account}>
                <strong>{account}</strong> {problem}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
