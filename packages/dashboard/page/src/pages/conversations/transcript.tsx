import { memberOf } from "@tollgate/page-kit/api/json.ts";
import type { Json } from "@tollgate/page-kit/api/operations.ts";
import { LongText } from "@tollgate/page-kit/design/code-block.tsx";
import { durationText } from "@tollgate/page-kit/design/figures.ts";
import { EmptyState } from "@tollgate/page-kit/design/layout.tsx";
import { ListFoot } from "@tollgate/page-kit/design/list-table.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import type { Address } from "@tollgate/page-kit/state/location.ts";
import type { StoredLog, StoredMessage, WebhookLog } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { LogOutcome } from "./logs.tsx";

interface TranscriptProps {
  /** The id of the conversation. */
  readonly id: string;
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
export function Transcript({ id, logs, at }: TranscriptProps) {
  const messages = operation("GET", "/conversations/:id/messages", id);
  const list = useList(messages, { limit: 200 }, ({ sequence }) => String(sequence));
  const byCall = new Map(logs.map(({ log }) => [log.tool_call_id, log]));
  return (
    <>
      <Loaded resource={list} lines={6}>
        {({ data }) => (
          <>
            {data.length === 0 && (
              <EmptyState title="Nothing was said yet">The session exists, but no message was sent to it.</EmptyState>
            )}
            <ol class="transcript">
              {data.map((stored) => (
                <Message key={stored.sequence} stored={stored} byCall={byCall} at={at} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
      <ListFoot list={list} rows="messages" />
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
      {calls.map(({ id, function: called }) => {
        const log = byCall.get(id);
        if (log !== undefined) {
          return <WebhookCard key={id} log={log} passed={called.arguments} href={at.href({ log: log.id })} />;
        }
        return (
          <p key={id} class="webhook-card muted">
            Called <span class="mono">{called.name}</span>. Its log is not among those that are loaded.
          </p>
        );
      })}
    </li>
  );
}

interface WebhookCardProps {
  readonly log: WebhookLog;
  /** The arguments as the model wrote them. */
  readonly passed: string;
  readonly href: string;
}

/** A webhook call in its place in the conversation. A click opens its log. */
function WebhookCard({ log, passed, href }: WebhookCardProps) {
  return (
    <a class="webhook-card" href={href} data-row={log.id}>
      <span class="inline">
        <span class="mono">{log.trigger}</span>
        <LogOutcome log={log} />
        <span class="muted">
          {durationText(log.duration_ms)}
          {log.attempts.length > 1 && `, ${log.attempts.length} tries`}
        </span>
      </span>
      <code class="call-arguments" dir="auto">
        {passed}
      </code>
    </a>
  );
}

/** The content of a message as text, whatever is in it. Images are named, not loaded. */
function MessageText({ content }: { readonly content: Json }) {
  const text = textOf(content);
  if (text === "") return null;
  return (
    <LongText text={text}>
      {(shown) => (
        <p class="message-text" dir="auto">
          {shown}
        </p>
      )}
    </LongText>
  );
}

/** Returns the text of a string or of content parts. */
function textOf(content: Json): string {
  if (content === null) return "";
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(partText).join("\n");
  return JSON.stringify(content, null, 2);
}

function partText(part: Json): string {
  const text = memberOf(part, "text");
  if (typeof text === "string") return text;
  const image = memberOf(part, "image_url");
  const url = image === undefined ? undefined : memberOf(image, "url");
  return typeof url === "string" ? `[image] ${shortened(url)}` : JSON.stringify(part);
}

const longest = 200;
const shortened = (url: string): string => (url.length > longest ? `${url.slice(0, longest)}…` : url);
