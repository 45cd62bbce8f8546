import { ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { entryName, entryNames, entrySubject } from "@tollgate/page-kit/design/entry-receipt.tsx";
import { Select } from "@tollgate/page-kit/design/fields.tsx";
import { EmptyState, Section } from "@tollgate/page-kit/design/layout.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { useAddress } from "@tollgate/page-kit/state/location.ts";
import type { OwnEntry } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";

const entries = operation("GET", "/entries");

/** The entries of the balance, newest first. */
export function Entries() {
  const at = useAddress();
  const query = { kind: at.query["kind"] };
  const list = useList(entries, query, ({ sequence }) => sequence);
  return (
    <div class="page-section">
      <Section
        title={texts.payments.ledger}
        level={2}
        actions={<ExportCsv list={entries} query={query} name="balance" look="button small" />}
      >
        <div class="toolbar">
          <Select
            label={texts.payments.kind}
            value={at.query["kind"] ?? ""}
            choices={[["", texts.requests.all] as const, ...Object.entries(entryNames)]}
            onChange={(kind) => at.go({ kind }, true)}
          />
        </div>
        <ListTable
          label={texts.payments.ledger}
          list={list}
          columns={columns()}
          address={at}
          opens={null}
          filters={["kind"]}
          empty={<EmptyState title={texts.payments.noEntries}>{texts.payments.noEntriesHint}</EmptyState>}
        />
      </Section>
    </div>
  );
}

const columns = (): readonly Column<OwnEntry>[] => [
  { header: texts.usage.time, cell: ({ at }) => <Time at={at} />, narrow: (entry) => entrySubject(entry) },
  { header: texts.payments.kind, cell: entryName },
  { header: texts.payments.subject, wideOnly: true, cell: (entry) => entrySubject(entry) ?? "–" },
  { header: texts.overview.amount, numeric: true, cell: ({ amount }) => <Money amount={amount} exact /> },
];
