import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { JsonBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { ObjectLink } from "@tollgate/page-kit/design/controls.tsx";
import { Facts, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import type { Address } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { ConversationDetail } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { LogPanel, LogTable } from "./logs.tsx";
import { Transcript } from "./transcript.tsx";

const views = [
  ["conversation", "Conversation"],
  ["logs", "Logs"],
  ["data", "Client data"],
] as const;

/** One session: its conversation, its webhook calls, and its client data. */
export function SessionView({ id, at }: { readonly id: string; readonly at: Address }) {
  const session = useResource(operation("GET", "/conversations/:id", id), {}, 15_000);
  const view = views.find(([name]) => name === at.query["view"])?.[0] ?? "conversation";
  return (
    <>
      <PageHeader title="Session" updatedAt={session.updatedAt.value}>
        <a class="button" href={at.href({ id: undefined, view: undefined, log: undefined })}>
          All conversations
        </a>
      </PageHeader>
      <Loaded resource={session}>{(found) => <SessionFacts session={found} />}</Loaded>
      <nav class="tabs session-tabs" aria-label="Views of the session">
        {views.map(([name, text]) => (
          <a
            key={name}
            class={name === view ? "button chosen" : "button"}
            aria-current={name === view ? "true" : undefined}
            href={at.href({ view: name === "conversation" ? undefined : name, log: undefined })}
          >
            {text}
          </a>
        ))}
      </nav>
      {!may("operator") ? (
        <p class="notice">Messages, logs and client data need the role operator. Ask an admin for it.</p>
      ) : view === "data" ? (
        <Loaded resource={session}>
          {({ client_data: data = {} }) => <JsonBlock label="Client data" value={data} />}
        </Loaded>
      ) : (
        <SessionContent id={id} at={at} view={view} />
      )}
    </>
  );
}

interface SessionContentProps {
  readonly id: string;
  readonly at: Address;
  readonly view: "conversation" | "logs";
}

function SessionContent({ id, at, view }: SessionContentProps) {
  const logs = useList(operation("GET", "/conversations/:id/logs", id), { limit: 200 }, ({ log }) => log.id);
  const open = logs.data.value?.data.find(({ log }) => log.id === at.query["log"])?.log;
  return (
    <>
      {view === "logs" ? (
        <LogTable logs={logs} at={at} />
      ) : (
        <Transcript id={id} logs={logs.data.value?.data ?? []} at={at} />
      )}
      {open !== undefined && <LogPanel key={open.id} log={open} onClose={() => at.go({ log: undefined })} />}
    </>
  );
}

function SessionFacts({ session }: { readonly session: ConversationDetail }) {
  return (
    <Facts
      facts={[
        ["Session", <CopyId key="" id={session.id} />],
        ["Assistant", <ObjectLink key="" page="assistants" id={session.assistant_id} />],
        ["Account", <ObjectLink key="" page="accounts" id={session.account} />],
        ["Turns", String(session.turns)],
        ["Created", <Time key="" at={session.created_at} />],
        ["Last used", <Time key="" at={session.updated_at} />],
        ["Expires", session.expires_at === null ? "Never" : <Time key="" at={session.expires_at} />],
      ]}
    />
  );
}
