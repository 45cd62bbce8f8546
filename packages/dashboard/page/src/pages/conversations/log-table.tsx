import type { StoredLog } from "../../api/assistants.ts";
import type { Column } from "../../design/data-table.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { durationText } from "../../design/figures.ts";
import { ListTable } from "../../design/list-table.tsx";
import { Time } from "../../design/time.tsx";
import type { List } from "../../state/list.ts";
import type { Address } from "../../state/location.ts";
import { LogOutcome } from "./log-outcome.tsx";

const columns: readonly Column<StoredLog>[] = [
  { header: "Trigger", cell: ({ log }) => <span class="mono">{log.trigger}</span> },
  { header: "Result", cell: ({ log }) => <LogOutcome log={log} /> },
  { header: "Started", wideOnly: true, cell: ({ log }) => <Time at={log.started_at} /> },
  {
    header: "Request",
    wideOnly: true,
    cell: ({ log }) => (log.request ? `${log.request.method} ${log.request.url}` : "–"),
  },
  { header: "Tries", numeric: true, wideOnly: true, cell: ({ log }) => String(log.attempts.length) },
  { header: "Time", numeric: true, cell: ({ log }) => durationText(log.duration_ms) },
];

/** The webhook calls of a session, newest first. */
export function LogTable({ logs, at }: { readonly logs: List<StoredLog>; readonly at: Address }) {
  return (
    <ListTable
      label="Logs"
      list={logs}
      columns={columns}
      identify={({ log }) => log.id}
      address={at}
      opens="log"
      filters={[]}
      empty={
        <EmptyState title="No webhook was called">
          A log appears here when the model calls a trigger of the assistant in this session.
        </EmptyState>
      }
    />
  );
}
