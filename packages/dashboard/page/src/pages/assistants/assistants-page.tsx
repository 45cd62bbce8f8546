import { useSignal } from "@preact/signals";
import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { CodeBlock, JsonBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { Button, ObjectLink } from "@tollgate/page-kit/design/controls.tsx";
import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { EmptyState, Facts, PageHeader, Section } from "@tollgate/page-kit/design/layout.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { addressOf, useAddress } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { Assistant, Trigger } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { DryRunDialog } from "./dry-run-dialog.tsx";

const columns: readonly Column<Assistant>[] = [
  { header: "Assistant", cell: (each) => each.id },
  { header: "Id", cell: (each) => <span class="mono">{each.id}</span> },
  { header: "Model", wideOnly: true, cell: (each) => each.model },
  { header: "Triggers", numeric: true, cell: (each) => String(each.triggers.length) },
];

/** The assistants that the host configures, with their triggers. */
export function AssistantsPage() {
  const at = useAddress();
  const assistants = useResource(operation("GET", "/assistants"), {}, 60_000);
  const rows = assistants.data.value?.data;
  const open = rows?.find(({ id }) => id === at.query["id"]);
  return (
    <>
      <PageHeader title="Assistants" updatedAt={assistants.updatedAt.value} />
      <Problem error={assistants.error.value} retry={assistants.reload} />
      {rows?.length === 0 ? (
        <EmptyState title="No assistants are configured">
          Pass assistants() to the gateway as an extension, and start it again.
        </EmptyState>
      ) : (
        <DataTable label="Assistants" columns={columns} rows={rows} identify={({ id }) => id} address={at} />
      )}
      {open !== undefined && <AssistantPanel key={open.id} assistant={open} onClose={() => at.go({ id: undefined })} />}
    </>
  );
}

/** One assistant with its instructions and triggers. */
function AssistantPanel({ assistant, onClose }: { readonly assistant: Assistant; readonly onClose: () => void }) {
  const trying = useSignal<Trigger | undefined>(undefined);
  const talk = (
    <a class="button" href={addressOf("playground", { mode: "assistant", assistant: assistant.id })}>
      Talk to it
    </a>
  );
  return (
    <SidePanel
      kind="Assistant"
      title={assistant.id}
      row={assistant.id}
      onClose={onClose}
      {...(may("operator") && { actions: talk })}
    >
      <Facts
        facts={[
          ["Id", <CopyId key="" id={assistant.id} />],
          ["Model", <ObjectLink key="" page="models" id={assistant.model} />],
          [
            "Sessions",
            <a key="" href={addressOf("conversations", { assistant: assistant.id })}>
              Conversations
            </a>,
          ],
        ]}
      />
      {assistant.instructions != null && (
        <Section title="Instructions">
          <CodeBlock label="Instructions" code={assistant.instructions} />
        </Section>
      )}
      {assistant.triggers.map((trigger) => (
        <TriggerSection key={trigger.name} trigger={trigger} tryOut={() => (trying.value = trigger)} />
      ))}
      {trying.value !== undefined && (
        <DryRunDialog assistant={assistant.id} trigger={trying.value} onClose={() => (trying.value = undefined)} />
      )}
    </SidePanel>
  );
}

function TriggerSection({ trigger, tryOut }: { readonly trigger: Trigger; readonly tryOut: () => void }) {
  const { webhook } = trigger;
  const button = (
    <Button look="small" onClick={tryOut} aria-label={`Dry run of ${trigger.name}`}>
      Dry run
    </Button>
  );
  return (
    <Section title={trigger.name} {...(may("operator") && { actions: button })}>
      <div class="stack">
        {trigger.description !== null && <p>{trigger.description}</p>}
        <CodeBlock label={`Webhook of ${trigger.name}`} code={webhookText(trigger)} />
        {webhook.body !== null && <JsonBlock label={`Body of ${trigger.name}`} value={webhook.body} />}
        {trigger.interpret_response && webhook.response_directive !== null && (
          <p class="muted">{webhook.response_directive}</p>
        )}
        <JsonBlock label={`Parameters of ${trigger.name}`} value={trigger.parameters} />
      </div>
    </Section>
  );
}

function webhookText({ webhook }: Trigger): string {
  const headers = (webhook.headers ?? []).map(({ key, value }) => `${key}: ${value}`);
  return [`${webhook.method} ${webhook.url}`, ...headers].join("\n");
}
