import { read } from "../../api/client.ts";
import type { RequestDetail } from "../../api/requests.ts";
import { CopyId } from "../../design/copy-id.tsx";
import { EntryReceipt } from "../../design/entry-receipt.tsx";
import { Facts } from "../../design/facts.tsx";
import { countText, durationText } from "../../design/figures.ts";
import { JsonBlock } from "../../design/json-block.tsx";
import { Money } from "../../design/money.tsx";
import { Problem } from "../../design/problem.tsx";
import { RequestState } from "../../design/request-state.tsx";
import { Section } from "../../design/section.tsx";
import { SidePanel } from "../../design/side-panel.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { Time } from "../../design/time.tsx";
import { addressOf } from "../../state/location.ts";
import { useResource } from "../../state/resource.ts";
import { answerText, Timeline } from "./timeline.tsx";

/** One request: facts, timeline, receipts, and its content if it was stored. */
export function RequestPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const path = `requests/${encodeURIComponent(id)}`;
  const { data, error, reload } = useResource<RequestDetail>(path, (signal) => read(path, {}, signal));
  const request = data.value;
  return (
    <SidePanel kind="Request" title={<CopyId id={request?.request_id ?? id} />} row={id} onClose={onClose}>
      <Problem error={error.value} retry={reload} />
      {request === undefined ? error.value === undefined && <Skeleton lines={10} /> : <Request request={request} />}
    </SidePanel>
  );
}

function Request({ request }: { readonly request: RequestDetail }) {
  return (
    <>
      <RequestFacts request={request} />
      <Section title="Timeline">
        <Timeline steps={request.timeline} durationMs={request.duration_ms} />
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
        [
          "Account",
          <a key="" href={addressOf("accounts", { id: request.account })}>
            {request.account}
          </a>,
        ],
        [
          "Key",
          <a key="" class="mono" href={addressOf("keys", { id: request.key_id })}>
            {request.key_id}
          </a>,
        ],
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
        ["Session", request.session_id === null ? undefined : <SessionLink key="" id={request.session_id} />],
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

const SessionLink = ({ id }: { readonly id: string }) => (
  <a class="mono" href={addressOf("conversations", { id })}>
    {id}
  </a>
);
