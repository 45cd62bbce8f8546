import type { ConversationDetail, StoredLog } from "../../api/assistants.ts";
import { read } from "../../api/client.ts";
import { CopyId } from "../../design/copy-id.tsx";
import { Facts } from "../../design/facts.tsx";
import { JsonBlock } from "../../design/json-block.tsx";
import { Loaded } from "../../design/loaded.tsx";
import { PageHeader } from "../../design/page-header.tsx";
import { Time } from "../../design/time.tsx";
import { useList } from "../../state/list.ts";
import { type Address, addressOf } from "../../state/location.ts";
import { may } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { LogPanel } from "./log-panel.tsx";
import { LogTable } from "./log-table.tsx";
import { Transcript } from "./transcript.tsx";

interface SessionViewProps {
  readonly id: string;
  readonly at: Address;
}

const views = [
  ["conversation", "Conversation"],
  ["logs", "Logs"],
  ["data", "Client data"],
] as const;

/** One session: its conversation, its webhook calls, and its client data. */
export function SessionView({ id, at }: SessionViewProps) {
  const path = `conversations/${encodeURIComponent(id)}`;
  const session = useResource<ConversationDetail>(path, (signal) => read(path, {}, signal), { pollMs: 15_000 });
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

function SessionContent({ id, at, view }: SessionViewProps & { readonly view: "conversation" | "logs" }) {
  const path = `conversations/${encodeURIComponent(id)}`;
  const logs = useList<StoredLog>(`${path}/logs`, { limit: 200 }, ({ sequence }) => sequence);
  const open = logs.data.value?.data.find(({ log }) => log.id === at.query["log"])?.log;
  return (
    <>
      {view === "logs" ? (
        <LogTable logs={logs} at={at} />
      ) : (
        <Transcript path={path} logs={logs.data.value?.data ?? []} at={at} />
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
        [
          "Assistant",
          <a key="" href={addressOf("assistants", { id: session.assistant_id })}>
            {session.assistant_id}
          </a>,
        ],
        [
          "Account",
          <a key="" href={addressOf("accounts", { id: session.account })}>
            {session.account}
          </a>,
        ],
        ["Turns", String(session.turns)],
        ["Created", <Time key="" at={session.created_at} />],
        ["Last used", <Time key="" at={session.updated_at} />],
        ["Expires", session.expires_at === null ? "Never" : <Time key="" at={session.expires_at} />],
      ]}
    />
  );
}
