import { ApiError, change } from "@tollgate/page-kit/api/client.ts";
import { parseObject } from "@tollgate/page-kit/design/fields.tsx";
import { shell } from "@tollgate/page-kit/design/snippets.ts";
import { operation } from "../../api/operations.ts";
import { servedUrl } from "../../state/me.ts";
import { draft, type PlaygroundTarget, type Turn } from "./draft.ts";
import { eventData } from "./event-data.ts";

/** The parts of a streamed chunk that the playground reads. */
interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: { readonly message?: string };
}

/** Sends the turns as a customer would, and streams the answer into the draft. Rejects with an {@link ApiError}. */
export async function send(target: PlaygroundTarget, turns: readonly Turn[], signal: AbortSignal): Promise<void> {
  const secret = await temporaryKey(target);
  const started = Date.now();
  const response =
    target.mode === "model"
      ? await post(`${urlOf("router_url")}/chat/completions`, secret, completionBody(target, turns), signal)
      : await sayInSession(target, secret, turns.at(-1)?.text ?? "", signal);
  let text = "";
  let firstContentMs: number | undefined;
  let usage: Chunk["usage"];
  const figures = () => ({
    requestId: response.headers.get("x-request-id") ?? undefined,
    firstContentMs,
    durationMs: Date.now() - started,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
  });
  for await (const data of response.body === null ? [] : eventData(response.body)) {
    if (data === "[DONE]") break;
    const chunk: Chunk = JSON.parse(data);
    if (chunk.error !== undefined) throw new ApiError(502, chunk.error.message ?? "The stream failed. Try again.");
    const piece = chunk.choices?.[0]?.delta?.content ?? "";
    if (piece !== "") firstContentMs ??= Date.now() - started;
    usage = chunk.usage ?? usage;
    text += piece;
    draft.turns.value = [...turns, { role: "assistant", text }];
  }
  draft.figures.value = figures();
}

/** Creates the session with the first message, and sends the message to it. */
async function sayInSession(
  target: PlaygroundTarget,
  secret: string,
  content: string,
  signal: AbortSignal,
): Promise<Response> {
  const base = urlOf("sessions_url");
  if (draft.session.value === undefined) {
    const body = { assistant_id: target.id, client_data: givenClientData() };
    const created = await post(`${base}/session`, secret, body, signal);
    const session: { readonly id: string } = await created.json();
    draft.session.value = session.id;
  }
  const path = `${base}/session/${encodeURIComponent(draft.session.value)}/messages`;
  return post(path, secret, { content, stream: true }, signal);
}

function givenClientData(): object {
  const clientData = parseObject(draft.clientData.value);
  if (clientData !== undefined) return clientData;
  throw new ApiError(0, "The client data is not a JSON object. Correct it and send the message again.");
}

async function post(url: string, secret: string, body: object, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError(0, `${url} did not respond. Check that the gateway is mounted there.`);
  });
  if (response.ok) return response;
  const answer: { readonly error?: string | { readonly message?: string } } = await response.json().catch(() => ({}));
  const message = typeof answer.error === "string" ? answer.error : answer.error?.message;
  throw new ApiError(
    response.status === 401 ? 403 : response.status,
    `${response.status}: ${message ?? "no reason given"}`,
  );
}

/** The policy of the page allows its own origin alone. */
function urlOf(name: "router_url" | "sessions_url"): string {
  const url = servedUrl(name);
  if (url === null) throw new ApiError(0, `The gateway does not say where it is mounted. Set ${name} in its options.`);
  const { origin } = new URL(url);
  if (origin === window.location.origin) return url;
  throw new ApiError(0, `The playground reaches only its own origin, not ${origin}. Open the dashboard there.`);
}

/** The body of the chat completion that the playground sends. */
export function completionBody({ id }: PlaygroundTarget, turns: readonly Turn[]): object {
  const system = draft.system.value.trim();
  const temperature = Number.parseFloat(draft.temperature.value);
  const maxTokens = Number.parseInt(draft.maxTokens.value, 10);
  return {
    model: id,
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.map(({ role, text }) => ({ role, content: text })),
    ],
    stream: true,
    ...(Number.isFinite(temperature) && { temperature }),
    ...(Number.isFinite(maxTokens) && { max_completion_tokens: maxTokens }),
  };
}

/** The request as curl. The key is a variable of the shell, because the playground's own expires. */
export function curlText(url: string, body: object): string {
  return [
    `curl --no-buffer ${shell(url)} \\`,
    `  -H "Authorization: Bearer $TOLLGATE_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shell(JSON.stringify(body, null, 2))}`,
  ].join("\n");
}

/** A key is not used in its last seconds, so that a request does not outlive it. */
const reserveMs = 30_000;
let known: { readonly owner: string; readonly secret: string; readonly expires_at: string } | undefined;

/** Returns the secret of a key of five minutes on an account, which the audit log records. It is kept in memory alone. */
async function temporaryKey({ account, plan }: PlaygroundTarget): Promise<string> {
  const owner = JSON.stringify([account, plan]);
  if (known?.owner === owner && Date.parse(known.expires_at) - reserveMs > Date.now()) return known.secret;
  const key = await change(operation("POST", "/playground/keys"), { account, plan });
  known = { owner, ...key };
  return known.secret;
}
