import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { memberOf } from "@tollgate/page-kit/api/json.ts";
import type { Json } from "@tollgate/page-kit/api/operations.ts";
import { CodeBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { Dialog } from "@tollgate/page-kit/design/dialog.tsx";
import { JsonObjectField, parseObject } from "@tollgate/page-kit/design/fields.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { Badge } from "@tollgate/page-kit/design/states.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import type { DryRun, Trigger } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { VariableTable } from "../../design/variable-table.tsx";

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
    const [given, data] = [parseObject(args.value), parseObject(clientData.value)];
    invalid.value = given === undefined ? "given" : data === undefined ? "clientData" : undefined;
    if (given === undefined || data === undefined) return;
    const body = { trigger: trigger.name, arguments: given, session: { client_data: data } };
    result.value = await running.run(() => change(operation("POST", "/assistants/:id/dry-run", assistant), body));
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
          <Button onClick={onClose}>Close</Button>
          <button type="submit" class="button primary" disabled={running.running.value}>
            Render the request
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What a dry run rendered, or why it would send nothing. */
function DryRunResult({ result }: { readonly result: DryRun }) {
  return (
    <div class="stack" role="status">
      {result.outcome === "refused" ? (
        <div class="inline">
          <Badge tone="bad">{result.error.code.replaceAll("_", " ")}</Badge>
          <span>{result.error.message}</span>
        </div>
      ) : (
        <>
          <div class="inline">
            {result.target.allowed ? (
              <Badge tone="good">Target allowed</Badge>
            ) : (
              <Badge tone="bad">Target refused</Badge>
            )}
            <span>{result.target.reason}</span>
          </div>
          <CodeBlock label="Rendered request" code={requestText(result.request)} />
        </>
      )}
      <VariableTable variables={result.variables} />
    </div>
  );
}

function requestText(request: Extract<DryRun, { readonly outcome: "rendered" }>["request"]): string {
  const head = [`${request.method} ${request.url}`, ...request.headers.map(({ key, value }) => `${key}: ${value}`)];
  return request.body === null ? head.join("\n") : `${head.join("\n")}\n\n${request.body}`;
}

/** Returns arguments for a JSON Schema: its examples and defaults, or an empty value of each property's type. */
function exampleArguments(schema: Json): { readonly [name: string]: Json } {
  const properties = memberOf(schema, "properties");
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]));
}

function exampleOf(schema: Json): Json {
  const fixed = memberOf(schema, "default") ?? firstOf(schema, "examples") ?? firstOf(schema, "enum");
  return fixed ?? empty[String(memberOf(schema, "type"))] ?? "";
}

const empty: Readonly<Record<string, Json>> = {
  string: "",
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

function firstOf(schema: Json, name: string): Json | undefined {
  const list = memberOf(schema, name);
  return Array.isArray(list) ? list[0] : undefined;
}
