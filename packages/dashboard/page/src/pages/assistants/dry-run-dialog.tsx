import { useSignal } from "@preact/signals";
import type { DryRun, Trigger } from "../../api/assistants.ts";
import { change } from "../../api/client.ts";
import { Dialog } from "../../design/dialog.tsx";
import { JsonObjectField, parseObject } from "../../design/json-object-field.tsx";
import { Problem } from "../../design/problem.tsx";
import { useChange } from "../../state/change.ts";
import { DryRunResult } from "./dry-run-result.tsx";
import { exampleArguments } from "./example-arguments.ts";

interface DryRunDialogProps {
  readonly assistant: string;
  readonly trigger: Trigger;
  readonly onClose: () => void;
}

/** Renders the webhook of a trigger from arguments and client data, and sends nothing. */
export function DryRunDialog({ assistant, trigger, onClose }: DryRunDialogProps) {
  const args = useSignal(JSON.stringify(exampleArguments(trigger.parameters), null, 2));
  const clientData = useSignal("{}");
  const invalid = useSignal<"given" | "clientData" | undefined>(undefined);
  const result = useSignal<DryRun | undefined>(undefined);
  const running = useChange();
  const submit = async (): Promise<void> => {
    const parsed = { given: parseObject(args.value), clientData: parseObject(clientData.value) };
    invalid.value = parsed.given === undefined ? "given" : parsed.clientData === undefined ? "clientData" : undefined;
    if (invalid.value !== undefined) return;
    const body = { trigger: trigger.name, arguments: parsed.given, session: { client_data: parsed.clientData } };
    const path = `assistants/${encodeURIComponent(assistant)}/dry-run`;
    result.value = await running.run(() => change<DryRun>("POST", path, body));
  };
  return (
    <Dialog title={`Dry run of ${trigger.name}`} onClose={onClose} wide>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <JsonObjectField label="Arguments" value={args} invalid={invalid.value === "given"} />
        <JsonObjectField label="Client data" value={clientData} invalid={invalid.value === "clientData"} />
        <Problem error={running.error.value} />
        {result.value !== undefined && <DryRunResult result={result.value} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="button primary" disabled={running.running.value}>
            Render the request
          </button>
        </div>
      </form>
    </Dialog>
  );
}
