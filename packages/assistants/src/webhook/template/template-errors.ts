import type { WebhookError, WebhookErrorCode } from "@tollgate/core/extension";
import { failureMessage } from "../../definition/failure-messages.ts";

/** The error for unknown variables. */
export function unresolvedVariable(names: readonly string[]): WebhookError {
  const list = names.map((name) => JSON.stringify(name)).join(", ");
  return notSent(
    "unresolved_variable",
    `These variables have no value: ${list}. Nothing was sent. Continue without this call, or tell the user that it cannot be made yet.`,
    `No source has a value for ${list}.`,
  );
}

/** The error for a path segment, counted from 1, that would change the path. */
export function unsafePathValue(segment: number): WebhookError {
  return notSent(
    "unsafe_path_value",
    'A value in the path of this call is missing, empty, "." or "..". Nothing was sent. Call again with a real value.',
    `Segment ${segment} of the path has a variable without a value, or is empty, "." or ".." once rendered.`,
  );
}

/** The error for a rendered host that is not allowed. The model gets the same message as for every blocked target. */
export function hostNotAllowed(): WebhookError {
  return notSent(
    "blocked_target",
    failureMessage("blocked_target", "not_sent"),
    "The rendered host is not in `hostVariables`.",
  );
}

/** The error for a rendered URL that is too long. */
export function urlTooLong(length: number, max: number): WebhookError {
  return notSent(
    "invalid_arguments",
    "The values are too long for this call. Nothing was sent. Call again with shorter ones.",
    `The rendered URL has ${length} characters; ${max} are allowed.`,
  );
}

/** The error for a header whose rendered value has a control character. */
export function invalidHeaderValue(name: string): WebhookError {
  return notSent(
    "invalid_header_value",
    "A value contains a line break or another control character, which a header cannot contain. Nothing was sent. Call again without it.",
    `The value of the header ${name} has a control character.`,
  );
}

/** The error for a rendered body that is not JSON. */
export function invalidBody(detail: string): WebhookError {
  return notSent(
    "invalid_body",
    "The values do not fit the body of this call. Nothing was sent. Do not call again with the same values.",
    detail,
  );
}

/** The error for a rendered body that is too long. */
export function bodyTooLong(bytes: number, max: number): WebhookError {
  return notSent(
    "invalid_body",
    "The values are too long for this call. Nothing was sent. Call again with shorter ones.",
    `The rendered body has ${bytes} bytes; ${max} are allowed.`,
  );
}

/** The error for a value that is too deep or too long for the runtime to convert to text. */
export function unwritableValue(): WebhookError {
  return notSent(
    "invalid_arguments",
    "A value is nested too deeply or too long. Nothing was sent. Call again with a simpler one.",
    "A value is nested too deeply, or is too long, to be written as text.",
  );
}

function notSent(code: WebhookErrorCode, message: string, detail: string): WebhookError {
  return { code, message, certainty: "not_sent", detail };
}
