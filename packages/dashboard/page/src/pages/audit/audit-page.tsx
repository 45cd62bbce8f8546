import { JsonBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { AddFilter, FilterChips } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, Facts, PageHeader, Section } from "@tollgate/page-kit/design/layout.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { useAddress } from "@tollgate/page-kit/state/location.ts";
import type { AuditEntry } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";

const columns: readonly Column<AuditEntry>[] = [
  { header: "Time", cell: (entry) => <Time at={entry.at} />, narrow: (entry) => entry.actor },
  {
    header: "Action",
    cell: (entry) => <span class="mono">{entry.action}</span>,
    narrow: (entry) => <span class="mono">{entry.subject}</span>,
  },
  { header: "Subject", wideOnly: true, cell: (entry) => <span class="mono">{entry.subject}</span> },
  { header: "Actor", wideOnly: true, cell: (entry) => entry.actor },
];
const filters = { actor: "Actor", action: "Action", subject: "Subject" };

const changes = operation("GET", "/audit");

/** Every change that an operator made. */
export function AuditPage() {
  const at = useAddress();
  const query = { actor: at.query["actor"], action: at.query["action"], subject: at.query["subject"] };
  const list = useList(changes, query, ({ sequence }) => sequence);
  const open = list.data.value?.data.find(({ sequence }) => sequence === at.query["id"]);
  return (
    <>
      <PageHeader title="Audit" updatedAt={list.updatedAt.value}>
        <ExportCsv list={changes} query={query} name="audit" />
      </PageHeader>
      <div class="toolbar">
        <FilterChips address={at} filters={filters} />
        <AddFilter address={at} filters={filters} />
      </div>
      <ListTable
        label="Changes"
        list={list}
        columns={columns}
        address={at}
        filters={Object.keys(filters)}
        empty={
          <EmptyState title="No changes yet">
            Every change that an operator makes here, with the API or with the command line appears in this log.
          </EmptyState>
        }
      />
      {open !== undefined && <AuditPanel entry={open} onClose={() => at.go({ id: undefined })} />}
    </>
  );
}

function AuditPanel({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  return (
    <SidePanel kind="Change" title={entry.action} row={entry.sequence} onClose={onClose}>
      <Facts
        facts={[
          ["Time", <Time key="" at={entry.at} />],
          ["Actor", entry.actor],
          [
            "Subject",
            <span key="" class="mono">
              {entry.subject}
            </span>,
          ],
          ["Number", entry.sequence],
        ]}
      />
      <Section title="Before">
        {entry.before == null ? (
          <p class="muted">It did not exist.</p>
        ) : (
          <JsonBlock label="Before" value={entry.before} />
        )}
      </Section>
      <Section title="After">
        {entry.after == null ? <p class="muted">It was removed.</p> : <JsonBlock label="After" value={entry.after} />}
      </Section>
    </SidePanel>
  );
}
