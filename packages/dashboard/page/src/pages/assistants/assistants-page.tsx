import type { Assistant } from "../../api/assistants.ts";
import { read } from "../../api/client.ts";
import type { Page } from "../../api/common.ts";
import { type Column, DataTable } from "../../design/data-table.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { PageHeader } from "../../design/page-header.tsx";
import { Problem } from "../../design/problem.tsx";
import { useAddress } from "../../state/location.ts";
import { useResource } from "../../state/resource.ts";
import { AssistantPanel } from "./assistant-panel.tsx";

const columns: readonly Column<Assistant>[] = [
  { header: "Assistant", cell: (each) => each.id },
  { header: "Id", cell: (each) => <span class="mono">{each.id}</span> },
  { header: "Model", wideOnly: true, cell: (each) => each.model },
  { header: "Triggers", numeric: true, cell: (each) => String(each.triggers.length) },
];

/** The assistants that the host configures, with their triggers. */
export function AssistantsPage() {
  const at = useAddress();
  const assistants = useResource<Page<Assistant>>("assistants", (signal) => read("assistants", {}, signal), {
    pollMs: 60_000,
  });
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
        <DataTable
          label="Assistants"
          columns={columns}
          rows={rows}
          identify={({ id }) => id}
          href={({ id }) => at.href({ id })}
          onOpen={({ id }) => at.go({ id })}
          open={at.query["id"]}
        />
      )}
      {open !== undefined && <AssistantPanel key={open.id} assistant={open} onClose={() => at.go({ id: undefined })} />}
    </>
  );
}
