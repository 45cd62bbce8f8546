import type { DryRun } from "../../api/assistants.ts";
import { Badge } from "../../design/badge.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { VariableTable } from "../../design/variable-table.tsx";

/** What a dry run rendered, or why it would send nothing. */
export function DryRunResult({ result }: { readonly result: DryRun }) {
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
