import { useSignal } from "@preact/signals";
import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { Select } from "@tollgate/page-kit/design/fields.tsx";
import { SearchField } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { SpendLimitText } from "@tollgate/page-kit/design/limits.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { StateBadge } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import { fill, texts as kitTexts } from "@tollgate/page-kit/texts.ts";
import type { CreatedKey, OwnKey } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may, me } from "../../state/me.ts";
import { texts } from "../../texts.ts";
import { CreateKeyDialog } from "./key-form.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { NewSecret } from "./new-secret.tsx";

const keys = operation("GET", "/keys");

/** The keys of the account, and one of them in a panel. */
export function KeysPage() {
  const at = useAddress();
  const list = useList(keys, { q: at.query["q"], state: at.query["state"] }, ({ id }) => id);
  const created = useSignal<CreatedKey | undefined>(undefined);
  const id = at.query["id"];
  const show = (key: CreatedKey): void => {
    created.value = key;
    void list.reload();
  };
  return (
    <>
      <PageHeader title={texts.pages.keys} updatedAt={list.updatedAt.value}>
        <CreateLink at={at} />
      </PageHeader>
      <KeysToolbar at={at} />
      <ListTable
        label={texts.pages.keys}
        list={list}
        columns={columns()}
        address={at}
        filters={["q", "state"]}
        empty={
          <EmptyState title={texts.keys.empty} action={<CreateLink at={at} />}>
            {texts.keys.emptyHint}
          </EmptyState>
        }
      />
      {mayCreate() && <p class="muted">{fill(texts.keys.most, { most: me.value?.most_keys ?? 0 })}</p>}
      {id !== undefined && (
        <KeyPanel key={id} id={id} onClose={() => at.go({ id: undefined })} onChanged={list.reload} onSecret={show} />
      )}
      {at.query["new"] !== undefined && mayCreate() && (
        <CreateKeyDialog onClose={() => at.go({ new: undefined }, true)} onCreated={show} />
      )}
      {created.value !== undefined && <NewSecret created={created.value} onClose={() => (created.value = undefined)} />}
    </>
  );
}

const mayCreate = (): boolean => may("keys") && me.value?.plan != null;

function CreateLink({ at }: { readonly at: Address }) {
  if (!mayCreate()) return null;
  return (
    <a class="button primary" href={at.href({ new: "1" })}>
      {texts.keys.create}
    </a>
  );
}

const columns = (): readonly Column<OwnKey>[] => [
  { header: texts.keys.name, cell: (key) => key.name ?? key.id },
  { header: texts.keys.key, cell: (key) => <span class="mono">…{key.last_four}</span> },
  { header: texts.keys.state, cell: (key) => <StateBadge state={key.state} /> },
  { header: texts.keys.spend, wideOnly: true, numeric: true, cell: (key) => <SpendLimitText limit={key.spend} /> },
  { header: texts.keys.created, wideOnly: true, cell: (key) => <Time at={key.created_at} dayOnly /> },
  { header: texts.keys.expires, wideOnly: true, cell: (key) => <Time at={key.expires_at} dayOnly /> },
];

function KeysToolbar({ at }: { readonly at: Address }) {
  const states = ["active", "expired", "revoked"] as const;
  return (
    <div class="toolbar">
      <SearchField label={texts.keys.search} value={at.query["q"] ?? ""} onSearch={(q) => at.go({ q }, true)} />
      <Select
        label={texts.keys.state}
        value={at.query["state"] ?? ""}
        choices={[["", texts.keys.all] as const, ...states.map((state) => [state, kitTexts.states[state]] as const)]}
        onChange={(state) => at.go({ state })}
      />
    </div>
  );
}
