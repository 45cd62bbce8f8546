import { read } from "../../api/client.ts";
import type { Health } from "../../api/models.ts";
import { Badge, type Tone } from "../../design/badge.tsx";
import { DataTable } from "../../design/data-table.tsx";
import { Facts } from "../../design/facts.tsx";
import { countText, durationText } from "../../design/figures.ts";
import { Loaded } from "../../design/loaded.tsx";
import { PageHeader } from "../../design/page-header.tsx";
import { Section } from "../../design/section.tsx";
import { Time } from "../../design/time.tsx";
import { useResource } from "../../state/resource.ts";
import { Upstreams } from "./upstreams.tsx";

const states: Readonly<Record<Health["status"], readonly [Tone, string]>> = {
  ok: ["good", "Everything works"],
  degraded: ["bad", "Degraded"],
  draining: ["warning", "Draining: new requests are refused"],
};

/** The worst of the gateway, its stores and its upstreams. */
function stateOf({ status, breakers }: Health): readonly [Tone, string] {
  if (status !== "ok" || breakers.length === 0) return states[status];
  return ["warning", breakers.length === 1 ? "1 upstream fails" : `${breakers.length} upstreams fail`];
}

/** How the gateway does now. */
export function HealthPage() {
  const health = useResource<Health>("health", (signal) => read("health", {}, signal), { pollMs: 5_000 });
  return (
    <>
      <PageHeader title="Health" updatedAt={health.updatedAt.value} />
      <Loaded resource={health}>{(now) => <HealthNow health={now} />}</Loaded>
    </>
  );
}

function HealthNow({ health }: { readonly health: Health }) {
  const [tone, word] = stateOf(health);
  return (
    <>
      <ul class="totals plain" aria-label="Figures">
        <Figure name="Requests in flight" value={countText(health.in_flight)} />
        <Figure name="Settlements waiting" value={countText(health.settlements_waiting)} />
        <Figure name="Usage rows waiting" value={countOf(health.usage?.pending)} />
        <Figure name="Usage rows dropped" value={countOf(health.usage?.dropped)} />
      </ul>
      <Facts
        facts={[
          [
            "State",
            <Badge key="" tone={tone}>
              {word}
            </Badge>,
          ],
          ["Running since", <Time key="" at={health.started_at} />],
          ["Version", health.version],
          ["Notices waiting", health.notices === null ? undefined : <WaitingNotices key="" notices={health.notices} />],
        ]}
      />
      <Upstreams health={health} />
      <Section title="Stores" level={2}>
        <DataTable
          label="Stores"
          rows={health.stores}
          identify={({ name }) => name}
          columns={[
            { header: "Store", cell: (store) => store.name, narrow: (store) => store.error },
            {
              header: "State",
              cell: ({ ok }) => (ok ? <Badge tone="good">Works</Badge> : <Badge tone="bad">Unavailable</Badge>),
            },
            { header: "Latency", numeric: true, cell: (store) => durationText(store.latency_ms) },
            { header: "Error", wideOnly: true, cell: (store) => store.error ?? "" },
          ]}
        />
      </Section>
    </>
  );
}

function WaitingNotices({ notices }: { readonly notices: NonNullable<Health["notices"]> }) {
  const { waiting, oldest_at: oldest } = notices;
  return (
    <span>
      {countText(waiting)}
      {oldest !== null && (
        <span class="muted">
          , the oldest since <Time at={oldest} />
        </span>
      )}
    </span>
  );
}

const countOf = (count: number | undefined): string => (count === undefined ? "–" : countText(count));

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <li>
      <span class="muted">{name}</span>
      <span class="total-figure">{value}</span>
    </li>
  );
}
