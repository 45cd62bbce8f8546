import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { compactText, durationText, shareText } from "@tollgate/page-kit/design/figures.ts";
import { SearchField } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { StateBadge } from "@tollgate/page-kit/design/states.tsx";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { Model, ModelTarget } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { ModelPanel } from "./model-panel.tsx";
import { PriceRange } from "./price-tables.tsx";

const columns: readonly Column<Model>[] = [
  { header: "Model", cell: (model) => model.id },
  { header: "Input", numeric: true, cell: (model) => <PriceRange price={model.price} name="input" /> },
  { header: "Output", numeric: true, cell: (model) => <PriceRange price={model.price} name="output" /> },
  {
    header: "Context",
    numeric: true,
    wideOnly: true,
    cell: (model) => (model.context_window === null ? "–" : compactText(model.context_window)),
  },
  { header: "Targets", numeric: true, wideOnly: true, cell: (model) => String(model.targets.length) },
  { header: "Breakers", wideOnly: true, cell: (model) => <StateBadge state={worstBreaker(model.targets)} /> },
  { header: "Errors, 24 h", numeric: true, wideOnly: true, cell: ({ error_share_24h: share }) => shareText(share) },
  { header: "Refused, 24 h", numeric: true, wideOnly: true, cell: ({ refusal_share_24h: share }) => shareText(share) },
  {
    header: "p50, 24 h",
    numeric: true,
    wideOnly: true,
    cell: ({ p50_ms_24h: p50 }) => durationText(p50),
  },
  {
    header: "p95, 24 h",
    numeric: true,
    wideOnly: true,
    cell: ({ p95_ms_24h: p95 }) => durationText(p95),
  },
];

/** What is offered, at which price, and how its upstreams do. */
export function ModelsPage() {
  const at = useAddress();
  const models = useResource(operation("GET", "/models"), {}, 15_000);
  const all = models.data.value?.data;
  const sought = (at.query["q"] ?? "").toLowerCase();
  const shown = all?.filter(({ id, display_name: name }) => `${id} ${name ?? ""}`.toLowerCase().includes(sought));
  const open = all?.find(({ id }) => id === at.query["id"]);
  return (
    <>
      <PageHeader title="Models" updatedAt={models.updatedAt.value} />
      <div class="toolbar">
        <SearchField label="Model" value={at.query["q"] ?? ""} onSearch={(q) => at.go({ q }, true)} />
        <span class="muted">Prices of one million tokens. Models are configured in the gateway.</span>
      </div>
      <Problem error={models.error.value} retry={models.reload} />
      {shown?.length === 0 ? (
        <NoModels at={at} filtered={sought !== ""} />
      ) : (
        <DataTable label="Models" columns={columns} rows={shown} identify={({ id }) => id} address={at} />
      )}
      {open !== undefined && <ModelPanel key={open.id} model={open} onClose={() => at.go({ id: undefined })} />}
    </>
  );
}

/** Returns the worst state of the targets' breakers. */
function worstBreaker(targets: readonly ModelTarget[]): ModelTarget["breaker"] {
  const found = new Set(targets.map(({ breaker }) => breaker));
  return found.has("open") ? "open" : found.has("half_open") ? "half_open" : "closed";
}

function NoModels({ at, filtered }: { readonly at: Address; readonly filtered: boolean }) {
  if (!filtered) {
    return <EmptyState title="No models">Add models to the options of the gateway and start it again.</EmptyState>;
  }
  return (
    <EmptyState
      title="No model matches"
      action={
        <a class="button" href={at.href({ q: undefined })}>
          Clear filters
        </a>
      }
    >
      No id or name contains these characters.
    </EmptyState>
  );
}
