import { useSignal } from "@preact/signals";
import type { CreatedKey, Key } from "../../api/answers.ts";
import { ExportCsv } from "../../design/controls.tsx";
import type { Column } from "../../design/data-table.tsx";
import { Select } from "../../design/fields.tsx";
import { FilterChips, SearchField } from "../../design/filters.tsx";
import { EmptyState, PageHeader } from "../../design/layout.tsx";
import { SpendLimitText } from "../../design/limits.tsx";
import { ListTable } from "../../design/list-table.tsx";
import { StateBadge } from "../../design/states.tsx";
import { Time } from "../../design/values.tsx";
import { useList } from "../../state/list.ts";
import { type Address, useAddress } from "../../state/location.ts";
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

/** Who has which key. */
export function KeysPage() {
  const at = useAddress();
  const query = { q: at.query["q"], state: at.query["state"], account: at.query["account"] };
  const list = useList<Key>("keys", query, ({ id }) => id);
  const created = useSignal<CreatedKey | undefined>(undefined);
  const id = at.query["id"];
  const show = (key: CreatedKey): void => {
    created.value = key;
    void list.reload();
  };
  return (
    <>
      <PageHeader title="Keys" updatedAt={list.updatedAt.value}>
        <ExportCsv path="keys" query={query} />
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
