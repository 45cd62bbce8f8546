import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { JsonBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { ObjectLink } from "@tollgate/page-kit/design/controls.tsx";
import { EntryReceipt } from "@tollgate/page-kit/design/entry-receipt.tsx";
import { countText, durationText } from "@tollgate/page-kit/design/figures.ts";
import { Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { RequestState } from "@tollgate/page-kit/design/states.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { RequestDetail, TimelineStep } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";

/** One request: facts, timeline, receipts, and its content if it was stored. */
export function RequestPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const request = useResource(operation("GET", "/requests/:id", id));
  return (
    <SidePanel kind="Request" title={<CopyId id={request.data.value?.request_id ?? id} />} row={id} onClose={onClose}>
      <Loaded resource={request} lines={10}>
        {(found) => <Request request={found} />}
      </Loaded>
    </SidePanel>
  );
}

function Request({ request }: { readonly request: RequestDetail }) {
  return (
    <>
      <RequestFacts request={request} />
      <Section title="Timeline">
        <Timeline request={request} />
      </Section>
      <Section title="Receipt">
        {request.entries.length === 0 && <p class="muted">Nothing was charged for this request.</p>}
        <div class="stack">
          {request.entries.map((entry) => (
            <EntryReceipt key={String(entry.sequence)} entry={entry} />
          ))}
        </div>
      </Section>
      {request.content !== null && (
        <Section title="Content">
          <div class="stack">
            <JsonBlock label="Request body" value={request.content.request} />
            <JsonBlock label="Response body" value={request.content.response} />
          </div>
        </Section>
      )}
    </>
  );
}

function RequestFacts({ request }: { readonly request: RequestDetail }) {
  const { tokens, target } = request;
  return (
    <Facts
      facts={[
        ["Status", <RequestState key="" status={request.status} ending={request.ending} />],
        ["Error", request.error_code ?? undefined],
        ["Upstream said", upstreamText(request)],
        ["Time", <Time key="" at={request.at} />],
        ["Model", request.model ?? undefined],
        ["Target", target === null ? undefined : `${target.provider} · ${target.upstream_model}`],
        ["Account", <ObjectLink key="" page="accounts" id={request.account} />],
        ["Key", <ObjectLink key="" page="keys" id={request.key_id} mono />],
        ["Endpoint", request.endpoint],
        [
          "Tokens",
          `${countText(tokens.input)} in · ${countText(tokens.output)} out${request.estimated ? " · estimated" : ""}`,
        ],
        ["Cost", <Money key="" amount={request.cost} exact />],
        [
          "Upstream cost",
          request.upstream_cost === null ? undefined : <Money key="" amount={request.upstream_cost} exact />,
        ],
        ["First content", request.first_content_ms === null ? undefined : durationText(request.first_content_ms)],
        ["Duration", durationText(request.duration_ms)],
        ["Attempts", String(request.attempts)],
        ["Answer id", request.answer_id === null ? undefined : <CopyId key="" id={request.answer_id} />],
        [
          "Session",
          request.session_id === null ? undefined : (
            <ObjectLink key="" page="conversations" id={request.session_id} mono />
          ),
        ],
        ["End user", request.end_user ?? undefined],
        ["Tags", request.tags.length === 0 ? undefined : request.tags.join(", ")],
        ["Id", <CopyId key="" id={request.id} />],
      ]}
    />
  );
}

/** What the upstream of the last failed attempt answered, if the request failed. */
function upstreamText({ status, ending, timeline }: RequestDetail): string | undefined {
  if (status < 400 && ending !== "upstream_failed") return undefined;
  const last = timeline.findLast(({ status, message }) => status != null || message != null);
  return last && answerText(last);
}

const stepNames: Readonly<Record<string, string>> = {
  admitted: "Admitted",
  held: "Amount held",
  attempt: "Attempt",
  "attempt.failed": "Attempt failed",
  first_content: "First content",
  answered: "Answered",
  settled: "Settled",
  webhook: "Webhook",
};

/** The steps of a request, each with a bar from its time to the next step. */
function Timeline({ request: { timeline: steps, duration_ms: durationMs } }: { readonly request: RequestDetail }) {
  if (steps.length === 0) return <p class="muted">This request has no timeline.</p>;
  const end = Math.max(durationMs, ...steps.map(({ at }) => at), 1);
  return (
    <ol class="timeline">
      {steps.map((step, index) => {
        const until = steps[index + 1]?.at ?? Math.max(step.at, durationMs);
        return (
          <li key={index}>
            <span>{stepNames[step.step] ?? step.step}</span>
            <span class="track" aria-hidden="true">
              <span
                class={step.step === "attempt.failed" ? "bar bad" : "bar"}
                style={{ left: percent(Math.min(step.at / end, 0.99)), width: percent((until - step.at) / end) }}
              />
            </span>
            <span class="figure muted">{durationText(step.at)}</span>
            {step.detail != null && <span class="detail muted">{step.detail}</span>}
            {answerText(step) !== undefined && <span class="detail">{answerText(step)}</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** The status and the message of the upstream of a failed attempt. */
function answerText({ status, message }: TimelineStep): string | undefined {
  const parts = [status, message].filter((part) => part != null);
  return parts.length === 0 ? undefined : parts.join(" · ");
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
