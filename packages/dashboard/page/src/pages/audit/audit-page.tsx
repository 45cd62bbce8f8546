import { address } from "../../api/client.ts";
import type { AuditEntry } from "../../api/models.ts";
import { AddFilter } from "../../design/add-filter.tsx";
import type { Column } from "../../design/data-table.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { Facts } from "../../design/facts.tsx";
import { FilterChips } from "../../design/filter-chips.tsx";
import { JsonBlock } from "../../design/json-block.tsx";
import { ListTable } from "../../design/list-table.tsx";
import { PageHeader } from "../../design/page-header.tsx";
import { Section } from "../../design/section.tsx";
import { SidePanel } from "../../design/side-panel.tsx";
import { Time } from "../../design/time.tsx";
import { useList } from "../../state/list.ts";
import { useAddress } from "../../state/location.ts";

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
const identify = ({ sequence }: AuditEntry): string => String(sequence);

/** Every change that an operator made. */
export function AuditPage() {
  const at = useAddress();
  const query = { actor: at.query["actor"], action: at.query["action"], subject: at.query["subject"] };
  const list = useList<AuditEntry>("audit", query, identify);
  const open = list.data.value?.data.find((entry) => identify(entry) === at.query["id"]);
  return (
    <>
      <PageHeader title="Audit" updatedAt={list.updatedAt.value}>
        <a class="button" href={address("audit", { ...query, format: "csv" })} download="audit.csv">
          Export CSV
        </a>
      </PageHeader>
      <div class="toolbar">
        <FilterChips address={at} filters={filters} />
        <AddFilter address={at} filters={filters} />
      </div>
      <ListTable
        label="Changes"
        list={list}
        columns={columns}
        identify={identify}
        address={at}
        opens="id"
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
    <SidePanel kind="Change" title={entry.action} row={identify(entry)} onClose={onClose}>
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
          ["Number", String(entry.sequence)],
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
