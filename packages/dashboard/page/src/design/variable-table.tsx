import { DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import type { Variable } from "../api/answers.ts";

const sources: Readonly<Record<string, string>> = {
  system: "System",
  secret: "Secret",
  argument: "Argument",
  client_data: "Client data",
};

/** The variables of a webhook with their sources. Secrets have no value. */
export function VariableTable({ variables }: { readonly variables: readonly Variable[] }) {
  if (variables.length === 0) return <p class="muted">The webhook uses no variables.</p>;
  return (
    <DataTable
      label="Variables"
      rows={variables}
      identify={({ name, source }) => `${source} ${name}`}
      columns={[
        { header: "Name", cell: ({ name }) => <span class="mono">${name}</span> },
        { header: "Source", cell: ({ source }) => sources[source] ?? source },
        {
          header: "Value",
          cell: ({ source, value }) =>
            source === "secret" ? <span class="muted">Redacted</span> : <bdi>{valueText(value)}</bdi>,
        },
      ]}
    />
  );
}

function valueText(value: Variable["value"]): string {
  if (value === undefined) return "No value";
  return typeof value === "string" ? value : JSON.stringify(value);
}
