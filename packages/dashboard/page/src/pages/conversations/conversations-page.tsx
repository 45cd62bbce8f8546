import type { Conversation } from "../../api/answers.ts";
import type { Column } from "../../design/data-table.tsx";
import { AddFilter, FilterChips } from "../../design/filters.tsx";
import { EmptyState, PageHeader } from "../../design/layout.tsx";
import { ListTable } from "../../design/list-table.tsx";
import { Time } from "../../design/values.tsx";
import { useList } from "../../state/list.ts";
import { type Address, useAddress } from "../../state/location.ts";
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
  const list = useList<Conversation>("conversations", query, ({ id }) => id);
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
