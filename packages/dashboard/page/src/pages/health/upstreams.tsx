import type { Target } from "../../api/common.ts";
import type { Health, OpenBreaker } from "../../api/models.ts";
import { DataTable } from "../../design/data-table.tsx";
import { Facts } from "../../design/facts.tsx";
import { failureName } from "../../design/failure-name.ts";
import { countText } from "../../design/figures.ts";
import { Section } from "../../design/section.tsx";
import { Time } from "../../design/time.tsx";
import { BreakerBadge } from "../models/breaker-badge.tsx";

/** The upstreams that fail, or that report a usage that cannot be true. */
export function Upstreams({ health }: { readonly health: Health }) {
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

const targetName = ({ provider, upstream_model: model }: Target): string => `${provider} · ${model}`;

function FailingUpstream({ breaker }: { readonly breaker: OpenBreaker }) {
  const { state, since, until, failure, upstream_status: status, upstream_message: message } = breaker;
  const said = [status, message].filter((part) => part !== null);
  return (
    <Section title={targetName(breaker)}>
      <Facts
        facts={[
          [
            "Breaker",
            <span key="" class="inline">
              <BreakerBadge state={state} />
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
