import { CopyId } from "@tollgate/page-kit/design/announcements.tsx";
import { CodeBlock } from "@tollgate/page-kit/design/code-block.tsx";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { typedInto } from "@tollgate/page-kit/design/fields.tsx";
import { countText, durationText } from "@tollgate/page-kit/design/figures.ts";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import { addressOf } from "@tollgate/page-kit/state/location.ts";
import { useRef } from "preact/hooks";
import { servedUrl } from "../../state/me.ts";
import { draft, missingPart, type PlaygroundTarget } from "./draft.ts";
import { completionBody, curlText, send } from "./send.ts";

/** The conversation with its composer, and the request as curl. */
export function Talk({ target }: { readonly target: PlaygroundTarget }) {
  const sending = useChange();
  const abort = useRef<AbortController>(undefined);
  const missing = missingPart(target);
  const submit = async (): Promise<void> => {
    const text = draft.message.value.trim();
    if (text === "" || missing !== undefined || sending.running.value) return;
    const before = draft.turns.value;
    const turns = [...before, { role: "user" as const, text }];
    draft.turns.value = turns;
    draft.message.value = "";
    abort.current = new AbortController();
    const { signal } = abort.current;
    const sent = await sending.run(() => send(target, turns, signal).then(() => true));
    if (signal.aborted) sending.error.value = undefined;
    if (sent !== undefined || draft.turns.value !== turns) return;
    draft.turns.value = before;
    draft.message.value = text;
  };
  return (
    <div class="talk">
      <Turns />
      <Problem error={sending.error.value} />
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <textarea
          aria-label="Message"
          placeholder="Write a message"
          rows={3}
          {...typedInto(draft.message)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void submit();
          }}
        />
        <div class="composer-actions">
          <span class="muted">{missing ?? "Enter sends, Shift and Enter begins a line."}</span>
          {sending.running.value && <Button onClick={() => abort.current?.abort()}>Stop</Button>}
          <button type="submit" class="button primary" disabled={missing !== undefined || sending.running.value}>
            {sending.running.value ? "Answering…" : "Send"}
          </button>
        </div>
      </form>
      <RequestAsCurl target={target} />
    </div>
  );
}

function Turns() {
  const figures = draft.figures.value;
  const session = draft.session.value;
  return (
    <>
      {draft.turns.value.length === 0 && (
        <p class="notice">
          Write a message below. It is sent and charged as a request of the account would be, and streams its answer
          here.
        </p>
      )}
      <ol class="transcript" aria-live="polite">
        {draft.turns.value.map(({ role, text }, index) => (
          <li key={index} class={`message ${role}`}>
            <p class="message-head">
              <strong>{role === "user" ? "You" : "Answer"}</strong>
            </p>
            <p class="message-text" dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ol>
      {figures !== undefined && (
        <p class="muted inline">
          {figures.inputTokens !== undefined && <span>{countText(figures.inputTokens)} in</span>}
          {figures.outputTokens !== undefined && <span>{countText(figures.outputTokens)} out</span>}
          {figures.firstContentMs !== undefined && <span>first content {durationText(figures.firstContentMs)}</span>}
          <span>{durationText(figures.durationMs)}</span>
          {figures.requestId !== undefined && <CopyId id={figures.requestId} />}
          {session !== undefined && <a href={addressOf("conversations", { id: session })}>Session and logs</a>}
        </p>
      )}
    </>
  );
}

function RequestAsCurl({ target }: { readonly target: PlaygroundTarget }) {
  const text = draft.message.value.trim() || "Hello";
  const code =
    target.mode === "model"
      ? curlText(
          `${servedUrl("router_url") ?? ""}/chat/completions`,
          completionBody(target, [...draft.turns.value, { role: "user", text }]),
        )
      : curlText(`${servedUrl("sessions_url") ?? ""}/session/${draft.session.value ?? "SESSION_ID"}/messages`, {
          content: text,
          stream: true,
        });
  return (
    <details class="choice">
      <summary>The request as curl</summary>
      <CodeBlock label="The request as curl" code={code} />
    </details>
  );
}
