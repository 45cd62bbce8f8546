import type { WebhookLog } from "../../api/assistants.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { CopyId } from "../../design/copy-id.tsx";
import { DataTable } from "../../design/data-table.tsx";
import { Facts } from "../../design/facts.tsx";
import { bytesText, durationText } from "../../design/figures.ts";
import { Section } from "../../design/section.tsx";
import { SidePanel } from "../../design/side-panel.tsx";
import { Time } from "../../design/time.tsx";
import { VariableTable } from "../../design/variable-table.tsx";
import { LogOutcome } from "./log-outcome.tsx";

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
