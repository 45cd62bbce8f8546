import type { WebhookError, WebhookErrorCode } from "../../../ports/webhook-error.ts";
import { failureMessage } from "../../definition/failure-messages.ts";

/** Variables that nobody knows stand in the webhook. */
export function unresolvedVariable(names: readonly string[]): WebhookError {
  const list = names.map((name) => JSON.stringify(name)).join(", ");
  return refusal(
    "unresolved_variable",
    `These variables have no value: ${list}. Nothing was sent. Continue without this call, or tell the user that it cannot be made yet.`,
    `No source has a value for ${list}.`,
  );
}

/** A segment of the path, counted from 1, would lead elsewhere. */
export function unsafePathValue(segment: number): WebhookError {
  return refusal(
    "unsafe_path_value",
    'A value in the path of this call is missing, empty, "." or "..". Nothing was sent. Call again with a real value.',
    `Segment ${segment} of the path has a variable without a value, or is empty, "." or ".." once rendered.`,
  );
}

/** The finished host is none of those allowed. The model is told what it is told of every target that is blocked. */
export function hostNotAllowed(): WebhookError {
  return refusal(
    "blocked_target",
    failureMessage("blocked_target", "not_sent"),
    "The finished host is not in `hostVariables`.",
  );
}

/** The finished URL is too long. */
export function urlTooLong(length: number, most: number): WebhookError {
  return refusal(
    "invalid_arguments",
    "The values are too long for this call. Nothing was sent. Call again with shorter ones.",
    `The finished URL has ${length} characters; ${most} are allowed.`,
  );
}

/** A header of this name would hold a control character. */
export function invalidHeaderValue(name: string): WebhookError {
  return refusal(
    "invalid_header_value",
    "A value contains a line break or another control character, which a header cannot contain. Nothing was sent. Call again without it.",
    `The value of the header ${name} has a control character.`,
  );
}

/** The body would not be JSON. */
export function invalidBody(detail: string): WebhookError {
  return refusal(
    "invalid_body",
    "The values do not fit the body of this call. Nothing was sent. Do not call again with the same values.",
    detail,
  );
}

/** The finished body is too long. */
export function bodyTooLong(bytes: number, most: number): WebhookError {
  return refusal(
    "invalid_body",
    "The values are too long for this call. Nothing was sent. Call again with shorter ones.",
    `The finished body has ${bytes} bytes; ${most} are allowed.`,
  );
}

/** A value is nested so deep, or so long, that the runtime cannot write it. */
export function unwritableValue(): WebhookError {
  return refusal(
    "invalid_arguments",
    "A value is nested too deeply or too long. Nothing was sent. Call again with a simpler one.",
    "A value is nested too deeply, or is too long, to be written as text.",
  );
}

function refusal(code: WebhookErrorCode, message: string, detail: string): WebhookError {
  return { code, message, certainty: "not_sent", detail };
}
