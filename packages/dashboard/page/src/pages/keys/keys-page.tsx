import { useSignal } from "@preact/signals";
import { address } from "../../api/client.ts";
import type { CreatedKey, Key } from "../../api/keys.ts";
import type { Column } from "../../design/data-table.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { FilterChips } from "../../design/filter-chips.tsx";
import { ListTable } from "../../design/list-table.tsx";
import { PageHeader } from "../../design/page-header.tsx";
import { SearchField } from "../../design/search-field.tsx";
import { Select } from "../../design/select.tsx";
import { SpendLimitText } from "../../design/spend-limit-text.tsx";
import { Time } from "../../design/time.tsx";
import { useList } from "../../state/list.ts";
import { type Address, useAddress } from "../../state/location.ts";
import { may } from "../../state/me.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { KeyStateBadge } from "./key-state-badge.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

const columns: readonly Column<Key>[] = [
  { header: "Name", cell: (key) => key.name ?? key.id, narrow: (key) => key.account },
  { header: "Key", cell: (key) => <span class="mono">…{key.last_four}</span> },
  { header: "State", cell: (key) => <KeyStateBadge state={key.state} /> },
  { header: "Account", wideOnly: true, cell: (key) => key.account },
  { header: "Plan", wideOnly: true, cell: (key) => key.plan },
  { header: "Spend limit", wideOnly: true, numeric: true, cell: (key) => <SpendLimitText limit={key.spend} /> },
  { header: "Created", wideOnly: true, cell: (key) => <Time at={key.created_at} dayOnly /> },
  { header: "Expires", wideOnly: true, cell: (key) => <Time at={key.expires_at} dayOnly /> },
];
const identify = ({ id }: Key): string => id;

/** Who has which key. */
export function KeysPage() {
  const at = useAddress();
  const query = { q: at.query["q"], state: at.query["state"], account: at.query["account"] };
  const list = useList<Key>("keys", query, identify);
  const created = useSignal<CreatedKey | undefined>(undefined);
  const id = at.query["id"];
  const show = (key: CreatedKey): void => {
    created.value = key;
    void list.reload();
  };
  return (
    <>
      <PageHeader title="Keys" updatedAt={list.updatedAt.value}>
        <a class="button" href={address("keys", { ...query, format: "csv" })} download="keys.csv">
          Export CSV
        </a>
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
        identify={identify}
        address={at}
        opens="id"
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
