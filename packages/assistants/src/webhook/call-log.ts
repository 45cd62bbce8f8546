import type { WebhookAttempt, WebhookError } from "@tollgate/core/extension";
import type { LoggedAttempt, LoggedVariable, WebhookLog } from "@tollgate/core/store";
import type { RenderedWebhook, UsedVariable } from "../definition/compiled-webhook.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { ResponseBody } from "./read-response-body.ts";
import { truncateToBytes, truncateToCharacters } from "./truncate-text.ts";

const maxBytes = 65_536;
const maxDetail = 2_000;
const webAddress = /https?:\/\/[^\s"'<>]+/gi;

/** The data of a finished call that its log is made from. */
export interface EndedCall {
  readonly request?: RenderedWebhook;
  readonly variables?: readonly UsedVariable[];
  readonly attempts?: readonly WebhookAttempt[];
  readonly response?: {
    readonly status: number;
    readonly contentType: string | undefined;
    readonly bytes: number;
    readonly body: ResponseBody;
  };
  /** Absent: the call succeeded. */
  readonly error?: WebhookError;
  readonly warnings?: readonly string[];
}

type Identity = Pick<WebhookLog, "id" | "session_id" | "trigger" | "tool_call_id" | "started_at" | "duration_ms">;

/** Returns the log of a call, redacted and truncated. */
export function callLog(redactor: Redactor, identity: Identity, call: EndedCall): WebhookLog {
  const { error, variables = [], attempts = [], warnings = [] } = call;
  return {
    ...identity,
    attempts: attempts.map(toLogged),
    request: requestOf(redactor, call.request),
    response: responseOf(redactor, call.response),
    variables: variables.map((variable) => loggedVariable(redactor, variable)),
    outcome: error === undefined ? "succeeded" : error.certainty,
    error: error === undefined ? null : { code: error.code, detail: detailOf(redactor, error.detail) },
    merged_keys: [],
    warnings: warnings.map((warning) => redactor.text(warning)),
  };
}

const toLogged = ({ durationMs, status, failure }: WebhookAttempt): LoggedAttempt => ({
  duration_ms: durationMs,
  status,
  failure: failure ?? null,
});

function requestOf(redactor: Redactor, request: RenderedWebhook | undefined): WebhookLog["request"] {
  if (request === undefined) return null;
  return {
    method: request.method,
    url: redactor.url(request.url),
    header_names: request.headers.map(([name]) => redactor.text(name)),
    body: request.body === undefined ? null : truncateForLog(redactor.text(request.body)),
  };
}

function responseOf(redactor: Redactor, response: EndedCall["response"]): WebhookLog["response"] {
  if (response === undefined) return null;
  const { text, truncated } = truncateToBytes(redactor.text(response.body.text), maxBytes);
  return {
    status: response.status,
    content_type: response.contentType === undefined ? null : truncateForLog(redactor.text(response.contentType)),
    bytes: response.bytes,
    body: text,
    truncated,
  };
}

/** Returns a variable for a log: redacted, and without a value if it is a secret. */
export function loggedVariable(redactor: Redactor, { name, source, value }: UsedVariable): LoggedVariable {
  const shown = { name: redactor.text(name), source };
  return source === "secret" ? shown : { ...shown, value: redactor.json(value) };
}

/** A detail may quote a URL, whose credentials need not be secrets of the assistant. */
function detailOf(redactor: Redactor, detail: string): string {
  const clean = redactor.text(detail).replace(webAddress, (url) => redactor.url(url));
  return truncateToCharacters(clean, maxDetail);
}

function truncateForLog(text: string): string {
  const { text: start, truncated: isTruncated } = truncateToBytes(text, maxBytes);
  return isTruncated ? `${start}\n[truncated: ${maxBytes} bytes]` : start;
}
