import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { ObjectLink } from "@tollgate/page-kit/design/controls.tsx";
import { EntryReceipt } from "@tollgate/page-kit/design/entry-receipt.tsx";
import { countText, durationText } from "@tollgate/page-kit/design/figures.ts";
import { Facts, Section } from "@tollgate/page-kit/design/layout.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { SidePanel } from "@tollgate/page-kit/design/side-panel.tsx";
import { RequestState } from "@tollgate/page-kit/design/states.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { OwnRequestDetail } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";

/** One request with the receipts of its charge. */
export function RequestPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const request = useResource(operation("GET", "/requests/:id", id));
  return (
    <SidePanel
      kind={texts.requests.kind}
      title={<CopyId id={request.data.value?.request_id ?? id} />}
      row={id}
      onClose={onClose}
    >
      <Loaded resource={request} lines={10}>
        {(found) => (
          <>
            <RequestFacts request={found} />
            <Section title={texts.requests.receipt}>
              {found.entries.length === 0 && <p class="muted">{texts.requests.noReceipt}</p>}
              <div class="stack">
                {found.entries.map((entry) => (
                  <EntryReceipt key={entry.sequence} entry={entry} />
                ))}
              </div>
            </Section>
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

function RequestFacts({ request }: { readonly request: OwnRequestDetail }) {
  const { tokens, first_content_ms: firstContent, answer_id: answer } = request;
  const names = texts.requests;
  return (
    <Facts
      facts={[
        [names.status, <RequestState key="" status={request.status} ending={request.ending} />],
        [names.code, request.error_code ?? undefined],
        [names.time, <Time key="" at={request.at} />],
        [texts.usage.model, request.model ?? undefined],
        [texts.usage.key, <ObjectLink key="" page="keys" id={request.key_id} mono />],
        [names.endpoint, request.endpoint],
        [texts.usage.input, countText(tokens.input)],
        [texts.usage.output, `${countText(tokens.output)}${request.estimated ? ` · ${names.estimated}` : ""}`],
        [names.cost, <Money key="" amount={request.cost} exact />],
        [names.firstContent, firstContent === null ? undefined : durationText(firstContent)],
        [names.duration, durationText(request.duration_ms)],
        [texts.usage.end_user, request.end_user ?? undefined],
        [names.answer, answer === null ? undefined : <CopyId key="" id={answer} />],
      ]}
    />
  );
}
