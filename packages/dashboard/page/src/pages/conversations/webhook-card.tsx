import type { ToolCall, WebhookLog } from "../../api/assistants.ts";
import { durationText } from "../../design/figures.ts";
import { LogOutcome } from "./log-outcome.tsx";

interface WebhookCardProps {
  readonly log: WebhookLog;
  readonly call: ToolCall;
  readonly href: string;
}

/** A webhook call in its place in the conversation. A click opens its log. */
export function WebhookCard({ log, call, href }: WebhookCardProps) {
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
        {call.function.arguments}
      </code>
    </a>
  );
}
