import type { WebhookError } from "@tollgate/core/extension";
import { type Json, writeLosslessJson } from "@tollgate/core/provider";
import type { Redactor } from "../redaction/redactor.ts";
import type { ResponseBody } from "./read-response-body.ts";
import { truncateToCharacters } from "./truncate-text.ts";

const maxCharacters = 16_000;

/** Returns the content of the `tool` message for a successful call: redacted JSON text. */
export function successContent(
  redactor: Redactor,
  status: number,
  directive: string | undefined,
  body: ResponseBody,
): string {
  return writeLosslessJson({
    ok: true,
    status,
    ...(directive === undefined ? {} : { directive: redactor.text(directive) }),
    response: responseOf(redactor, body),
  });
}

/** Returns the content of the `tool` message for a failed call. `body` is the response, if the model may see it. */
export function failureContent(
  redactor: Redactor,
  status: number | null,
  error: WebhookError,
  body: ResponseBody | undefined,
): string {
  const shown = body === undefined || body.text === "" ? {} : { response: responseOf(redactor, body) };
  return writeLosslessJson({
    ok: false,
    status,
    error: { code: error.code, message: redactor.text(error.message), outcome: error.certainty },
    ...shown,
  });
}

/** Returns JSON unchanged if its text is short enough, and else truncated text with a note of the original length. */
function responseOf(redactor: Redactor, body: ResponseBody): Json {
  if (body.json === undefined) return truncate(redactor.text(body.text));
  const value = redactor.json(body.json.value);
  if (typeof value === "string") return truncate(value);
  const text = writeLosslessJson(value);
  return text.length > maxCharacters ? truncate(text) : value;
}

const truncate = (text: string): string =>
  text.length <= maxCharacters
    ? text
    : `${truncateToCharacters(text, maxCharacters)}\n[truncated: ${maxCharacters} of ${text.length} characters]`;
