import { useSignal } from "@preact/signals";
import type { Assistant, Trigger } from "../../api/assistants.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { CopyId } from "../../design/copy-id.tsx";
import { Facts } from "../../design/facts.tsx";
import { JsonBlock } from "../../design/json-block.tsx";
import { Section } from "../../design/section.tsx";
import { SidePanel } from "../../design/side-panel.tsx";
import { addressOf } from "../../state/location.ts";
import { may } from "../../state/me.ts";
import { DryRunDialog } from "./dry-run-dialog.tsx";

/** One assistant with its instructions and triggers. */
export function AssistantPanel({
  assistant,
  onClose,
}: {
  readonly assistant: Assistant;
  readonly onClose: () => void;
}) {
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
          [
            "Model",
            <a key="" href={addressOf("models", { id: assistant.model })}>
              {assistant.model}
            </a>,
          ],
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
    <button type="button" class="button small" onClick={tryOut} aria-label={`Dry run of ${trigger.name}`}>
      Dry run
    </button>
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
