import type { WebhookError, WebhookResult } from "@tollgate/core/extension";
import type { ClientDataChanges } from "@tollgate/core/store";
import type { Trigger } from "../definition/assistant.ts";
import { failureMessage, statusMessage } from "../definition/failure-messages.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { EndedCall } from "./call-log.ts";
import { readResponseBody } from "./read-response-body.ts";
import { sessionChanges } from "./session-changes.ts";
import { failureContent, successContent } from "./tool-message.ts";

/** A finished call: the content of its `tool` message, its changes of client data, and the data for its log. */
export type ConcludedCall = EndedCall & { readonly content: string; readonly changes?: ClientDataChanges };

/** Interprets the result of a call by its status code. The content is redacted; the data for the log are not yet. */
export function conclude(redactor: Redactor, trigger: Trigger, result: WebhookResult): ConcludedCall {
  return result.kind === "failed" ? concludeFailure(redactor, result) : concludeResponse(redactor, trigger, result);
}

function concludeResponse(
  redactor: Redactor,
  trigger: Trigger,
  result: WebhookResult & { readonly kind: "answered" },
): ConcludedCall {
  const { status, contentType, body, attempts } = result;
  const decoded = readResponseBody(contentType, body);
  const merge = decoded.json === undefined ? undefined : sessionChanges(redactor, decoded.json.value);
  const concluded = {
    attempts,
    response: { status, contentType, bytes: body.length, body: decoded },
    // An error response may change client data too.
    changes: merge?.changes ?? [],
    warnings: [...decoded.warnings, ...(merge?.warnings ?? [])],
  };
  if (status >= 200 && status <= 299) {
    return { ...concluded, content: successContent(redactor, status, trigger.directive, decoded) };
  }
  const error = statusError(status);
  const shown = status >= 400 && status <= 499 ? decoded : undefined;
  return { ...concluded, content: failureContent(redactor, status, error, shown), error };
}

function concludeFailure(redactor: Redactor, result: WebhookResult & { readonly kind: "failed" }): ConcludedCall {
  const { failure, detail, attempts } = result;
  const blocked = failure === "blocked_target";
  const certainty = blocked ? "not_sent" : result.certainty;
  const error = { code: failure, message: failureMessage(failure, certainty), certainty, detail };
  return { content: failureContent(redactor, blocked ? null : result.status, error, undefined), attempts, error };
}

function statusError(status: number): WebhookError {
  if (status < 200) {
    return {
      code: "invalid_response",
      message: failureMessage("invalid_response", "failed"),
      certainty: "failed",
      detail: `The target responded with ${status}, which is not a final status.`,
    };
  }
  const code = status < 400 ? "redirect_blocked" : "http_error";
  return { code, message: statusMessage(status), certainty: "failed", detail: `The target responded with ${status}.` };
}
