import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { AddFilter, FilterChips } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import type { Conversation } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { SessionView } from "./session-view.tsx";

const columns: readonly Column<Conversation>[] = [
  {
    header: "Session",
    cell: ({ id }) => <span class="mono">{id}</span>,
    narrow: (each) => <Time at={each.updated_at} />,
  },
  { header: "Assistant", cell: (each) => each.assistant_id, narrow: (each) => each.account },
  { header: "Account", wideOnly: true, cell: (each) => each.account },
  { header: "Last used", wideOnly: true, cell: (each) => <Time at={each.updated_at} /> },
  { header: "Created", wideOnly: true, cell: (each) => <Time at={each.created_at} /> },
];
const filters = { account: "Account", assistant: "Assistant" };

/** The sessions of assistants, and one of them as it ran. */
export function ConversationsPage() {
  const at = useAddress();
  const id = at.query["id"];
  return id === undefined ? <ConversationList at={at} /> : <SessionView key={id} id={id} at={at} />;
}

function ConversationList({ at }: { readonly at: Address }) {
  const query = { account: at.query["account"], assistant: at.query["assistant"] };
  const list = useList(operation("GET", "/conversations"), query, ({ id }) => id);
  return (
    <>
      <PageHeader title="Conversations" updatedAt={list.updatedAt.value} />
      <div class="toolbar">
        <FilterChips address={at} filters={filters} />
        <AddFilter address={at} filters={filters} />
      </div>
      <ListTable
        label="Conversations"
        list={list}
        columns={columns}
        address={at}
        filters={Object.keys(filters)}
        empty={
          <EmptyState
            title="No conversations yet"
            action={
              <a class="button primary" href="playground?mode=assistant">
                Talk to an assistant
              </a>
            }
          >
            A session appears here when a client creates it, or when you talk to an assistant in the playground.
          </EmptyState>
        }
      />
    </>
  );
}
