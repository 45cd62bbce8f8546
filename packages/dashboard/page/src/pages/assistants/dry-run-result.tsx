import type { DryRun } from "../../api/assistants.ts";
import { Badge } from "../../design/badge.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { VariableTable } from "../../design/variable-table.tsx";

/** What a dry run rendered, or why it would send nothing. */
export function DryRunResult({ result }: { readonly result: DryRun }) {
  const { request, target, error } = result;
  return (
    <div class="stack" role="status">
      {error !== undefined && (
        <div class="inline">
          <Badge tone="bad">{error.code.replaceAll("_", " ")}</Badge>
          <span>{error.message}</span>
        </div>
      )}
      {target !== undefined && (
        <div class="inline">
          {target.allowed ? <Badge tone="good">Target allowed</Badge> : <Badge tone="bad">Target refused</Badge>}
          <span>{target.reason}</span>
        </div>
      )}
      {request !== undefined && <CodeBlock label="Rendered request" code={requestText(request)} />}
      <VariableTable variables={result.variables} />
    </div>
  );
}

function requestText(request: NonNullable<DryRun["request"]>): string {
  const head = [`${request.method} ${request.url}`, ...request.headers.map(({ key, value }) => `${key}: ${value}`)];
  return request.body === null ? head.join("\n") : `${head.join("\n")}\n\n${request.body}`;
}
