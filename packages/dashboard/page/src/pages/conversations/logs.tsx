import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { CodeBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { bytesText, durationText } from "@tollgate/page-kit/design/figures.ts";
import { EmptyState, Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { Badge, type Tone } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import type { List } from "@tollgate/page-kit/state/list.ts";
import type { Address } from "@tollgate/page-kit/state/location.ts";
import type { StoredLog, WebhookLog } from "../../api/answers.ts";
import { VariableTable } from "../../design/variable-table.tsx";

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

/** One webhook call: status, response, variables with their sources, time and tries. */
export function LogPanel({ log, onClose }: { readonly log: WebhookLog; readonly onClose: () => void }) {
  return (
    <SidePanel kind="Webhook call" title={log.trigger} row={log.id} onClose={onClose}>
      <Facts
        facts={[
          ["Result", <LogOutcome key="" log={log} />],
          ["Error", log.error?.detail],
          ["Started", <Time key="" at={log.started_at} />],
          ["Execution time", durationText(log.duration_ms)],
          ["Merged into client data", log.merged_keys.length === 0 ? undefined : log.merged_keys.join(", ")],
          ["Call", <CopyId key="" id={log.id} />],
        ]}
      />
      {log.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <LogResponse log={log} />
      <LogRequest log={log} />
      <Section title="Variables">
        <VariableTable variables={log.variables} />
      </Section>
      <Section title="Tries">
        <DataTable
          label="Tries"
          rows={log.attempts.map((attempt, index) => ({ ...attempt, number: index + 1 }))}
          identify={({ number }) => String(number)}
          columns={[
            { header: "Try", cell: ({ number }) => String(number) },
            { header: "Result", cell: ({ status, failure }) => failure?.replaceAll("_", " ") ?? String(status) },
            { header: "Time", numeric: true, cell: (attempt) => durationText(attempt.duration_ms) },
          ]}
        />
      </Section>
    </SidePanel>
  );
}

function LogResponse({ log: { response } }: { readonly log: WebhookLog }) {
  if (response === null) {
    return (
      <Section title="Response">
        <p class="muted">There was no response.</p>
      </Section>
    );
  }
  return (
    <Section title="Response">
      <p class="muted">
        Status {response.status}, {response.content_type ?? "no content type"}, {bytesText(response.bytes)}
        {response.truncated && ", cut off here"}
      </p>
      <CodeBlock label="Response body" code={response.body} />
    </Section>
  );
}

function LogRequest({ log: { request } }: { readonly log: WebhookLog }) {
  if (request === null) {
    return (
      <Section title="Request">
        <p class="muted">No request was sent.</p>
      </Section>
    );
  }
  return (
    <Section title="Request">
      <div class="stack">
        <CodeBlock label="Request line" code={`${request.method} ${request.url}`} />
        <p class="muted">
          Headers: {request.header_names.length === 0 ? "none" : request.header_names.join(", ")}. Their values are not
          logged.
        </p>
        {request.body !== null && <CodeBlock label="Request body" code={request.body} />}
      </div>
    </Section>
  );
}

/** How a webhook call ended: the status of its response, or the code of its error. */
export function LogOutcome({ log }: { readonly log: WebhookLog }) {
  const { response, error } = log;
  const tone: Tone = log.outcome === "succeeded" ? "good" : "bad";
  const words = [response === null ? undefined : String(response.status), error?.code.replaceAll("_", " ")];
  return <Badge tone={tone}>{words.filter(Boolean).join(" ") || log.outcome}</Badge>;
}
