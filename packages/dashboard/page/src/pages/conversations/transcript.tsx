import type { StoredLog, StoredMessage, ToolCall, WebhookLog } from "../../api/assistants.ts";
import { EmptyState } from "../../design/empty-state.tsx";
import { Problem } from "../../design/problem.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { Time } from "../../design/time.tsx";
import { useList } from "../../state/list.ts";
import type { Address } from "../../state/location.ts";
import { MessageText } from "./message-text.tsx";
import { WebhookCard } from "./webhook-card.tsx";

interface TranscriptProps {
  /** The path of the conversation in the API. */
  readonly path: string;
  readonly logs: readonly StoredLog[];
  readonly at: Address;
}

const speakers: Readonly<Record<string, string>> = {
  user: "User",
  assistant: "Assistant",
  tool: "Result for the model",
  system: "System",
  developer: "Developer",
};

/** The conversation as it ran, with each webhook call in its place. */
export function Transcript({ path, logs, at }: TranscriptProps) {
  const list = useList<StoredMessage>(`${path}/messages`, { limit: 200 }, ({ sequence }) => sequence);
  const byCall = new Map(logs.map(({ log }) => [log.tool_call_id, log]));
  const page = list.data.value;
  return (
    <>
      <Problem error={list.error.value} retry={list.reload} />
      {page === undefined && list.error.value === undefined && <Skeleton lines={6} />}
      {page?.data.length === 0 && (
        <EmptyState title="Nothing was said yet">The session exists, but no message was sent to it.</EmptyState>
      )}
      <ol class="transcript">
        {page?.data.map((stored) => (
          <Message key={stored.sequence} stored={stored} byCall={byCall} at={at} />
        ))}
      </ol>
      <div class="list-foot">
        {list.fresh.value && (
          <button type="button" class="button" onClick={() => void list.reload()}>
            Show new messages
          </button>
        )}
        {page?.next != null && (
          <button type="button" class="button" onClick={() => void list.more()}>
            Load more
          </button>
        )}
      </div>
    </>
  );
}

interface MessageProps {
  readonly stored: StoredMessage;
  readonly byCall: ReadonlyMap<string, WebhookLog>;
  readonly at: Address;
}

function Message({ stored: { at: time, message }, byCall, at }: MessageProps) {
  const calls = message.tool_calls ?? [];
  return (
    <li class={`message ${message.role}`}>
      <p class="message-head">
        <strong>{speakers[message.role] ?? message.role}</strong>
        <span class="muted">
          <Time at={time} />
        </span>
      </p>
      <MessageText content={message.content ?? null} />
      {calls.map((call) => (
        <Call key={call.id} call={call} log={byCall.get(call.id)} at={at} />
      ))}
    </li>
  );
}

interface CallProps {
  readonly call: ToolCall;
  readonly log: WebhookLog | undefined;
  readonly at: Address;
}

function Call({ call, log, at }: CallProps) {
  if (log !== undefined) return <WebhookCard log={log} call={call} href={at.href({ log: log.id })} />;
  return (
    <p class="webhook-card muted">
      Called <span class="mono">{call.function.name}</span>. Its log is not among those that are loaded.
    </p>
  );
}
