import { useSignal } from "@preact/signals";
import { ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { Select } from "@tollgate/page-kit/design/fields.tsx";
import { FilterChips, SearchField } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { SpendLimitText } from "@tollgate/page-kit/design/limits.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { StateBadge } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import type { CreatedKey, Key } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { CreateKeyDialog } from "./key-form.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

const columns: readonly Column<Key>[] = [
  { header: "Name", cell: (key) => key.name ?? key.id, narrow: (key) => key.account },
  { header: "Key", cell: (key) => <span class="mono">…{key.last_four}</span> },
  { header: "State", cell: (key) => <StateBadge state={key.state} /> },
  { header: "Account", wideOnly: true, cell: (key) => key.account },
  { header: "Plan", wideOnly: true, cell: (key) => key.plan },
  { header: "Spend limit", wideOnly: true, numeric: true, cell: (key) => <SpendLimitText limit={key.spend} /> },
  { header: "Created", wideOnly: true, cell: (key) => <Time at={key.created_at} dayOnly /> },
  { header: "Expires", wideOnly: true, cell: (key) => <Time at={key.expires_at} dayOnly /> },
];

const keys = operation("GET", "/keys");

/** Who has which key. */
export function KeysPage() {
  const at = useAddress();
  const query = { q: at.query["q"], state: at.query["state"], account: at.query["account"] };
  const list = useList(keys, query, ({ id }) => id);
  const created = useSignal<CreatedKey | undefined>(undefined);
  const id = at.query["id"];
  const show = (key: CreatedKey): void => {
    created.value = key;
    void list.reload();
  };
  return (
    <>
      <PageHeader title="Keys" updatedAt={list.updatedAt.value}>
        <ExportCsv list={keys} query={query} name="keys" />
        {may("operator") && (
          <a class="button primary" href={at.href({ new: "1" })}>
            Create key
          </a>
        )}
      </PageHeader>
      <KeysToolbar at={at} />
      <ListTable
        label="Keys"
        list={list}
        columns={columns}
        address={at}
        filters={["q", "state", "account"]}
        empty={<NoKeys at={at} />}
      />
      {id !== undefined && (
        <KeyPanel key={id} id={id} onClose={() => at.go({ id: undefined })} onChanged={list.reload} onSecret={show} />
      )}
      {at.query["new"] !== undefined && may("operator") && (
        <CreateKeyDialog
          account={at.query["account"]}
          onClose={() => at.go({ new: undefined }, true)}
          onCreated={show}
        />
      )}
      {created.value !== undefined && (
        <SecretDialog created={created.value} onClose={() => (created.value = undefined)} />
      )}
    </>
  );
}

function KeysToolbar({ at }: { readonly at: Address }) {
  return (
    <div class="toolbar">
      <SearchField label="Name, id or last four" value={at.query["q"] ?? ""} onSearch={(q) => at.go({ q }, true)} />
      <Select
        label="State"
        value={at.query["state"] ?? ""}
        choices={[
          ["", "All"],
          ["active", "Active"],
          ["expired", "Expired"],
          ["revoked", "Revoked"],
        ]}
        onChange={(state) => at.go({ state })}
      />
      <FilterChips address={at} filters={{ account: "Account" }} />
    </div>
  );
}

function NoKeys({ at }: { readonly at: Address }) {
  return (
    <EmptyState
      title="No keys yet"
      action={
        may("operator") && (
          <a class="button primary" href={at.href({ new: "1" })}>
            Create key
          </a>
        )
      }
    >
      A key lets an account use the gateway. Its secret is shown once, when it is created.
    </EmptyState>
  );
}
