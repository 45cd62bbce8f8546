import { DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { countText, durationText } from "@tollgate/page-kit/design/figures.ts";
import { Facts, PageHeader, Section } from "@tollgate/page-kit/design/layout.tsx";
import { SpendMeter } from "@tollgate/page-kit/design/limits.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { Badge, failureName, StateBadge, type Tone } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { Health } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";

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
  const health = useResource(operation("GET", "/health"), {}, 5_000);
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
          ["Upstream cost", health.spend === null ? undefined : <SpendMeter key="" state={health.spend} />],
          ["Notices waiting", health.notices === null ? undefined : <WaitingNotices key="" notices={health.notices} />],
        ]}
      />
      {health.problems.length > 0 && (
        <Section title="Needs a person" level={2}>
          <ul>
            {health.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Section>
      )}
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

/** The upstreams that fail, or that report a usage that cannot be true. */
function Upstreams({ health }: { readonly health: Health }) {
  return (
    <>
      <Section title="Failing upstreams" level={2}>
        {health.breakers.length === 0 && <p class="muted">No circuit breaker is open.</p>}
        {health.breakers.map((breaker) => (
          <FailingUpstream key={targetName(breaker)} breaker={breaker} />
        ))}
      </Section>
      {health.implausible_usage.length > 0 && (
        <Section title="Implausible usage" level={2}>
          <div class="stack">
            <p class="muted">
              These upstreams reported more than ten times what a request may use. Such requests are charged ten times
              their hold. Check the limits and prices of the models.
            </p>
            <DataTable
              label="Implausible usage"
              rows={health.implausible_usage}
              identify={targetName}
              columns={[
                { header: "Target", cell: targetName },
                { header: "Requests", numeric: true, cell: ({ count }) => countText(count) },
                { header: "Last", wideOnly: true, cell: ({ last_at: at }) => <Time at={at} /> },
              ]}
            />
          </div>
        </Section>
      )}
    </>
  );
}

const targetName = ({
  provider,
  upstream_model: model,
}: {
  readonly provider: string;
  readonly upstream_model: string;
}): string => `${provider} · ${model}`;

function FailingUpstream({ breaker }: { readonly breaker: Health["breakers"][number] }) {
  const { state, since, until, failure, upstream_status: status, upstream_message: message } = breaker;
  const said = [status, message].filter((part) => part !== null);
  return (
    <Section title={targetName(breaker)}>
      <Facts
        facts={[
          [
            "Breaker",
            <span key="" class="inline">
              <StateBadge state={state} />
              {until !== null && (
                <span class="muted">
                  next try <Time at={until} />
                </span>
              )}
            </span>,
          ],
          ["Since", since === null ? undefined : <Time key="" at={since} />],
          ["Cause", failure === null ? undefined : failureName(failure)],
          ["Upstream said", said.length === 0 ? undefined : said.join(" · ")],
        ]}
      />
    </Section>
  );
}
