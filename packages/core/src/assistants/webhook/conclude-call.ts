import type { ClientDataChanges } from "../../ports/client-data.ts";
import type { WebhookError } from "../../ports/webhook-error.ts";
import type { WebhookResult } from "../../ports/webhook-runner.ts";
import type { Trigger } from "../definition/assistant.ts";
import { failureMessage, statusMessage } from "../definition/failure-messages.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { EndedCall } from "./call-log.ts";
import { readAnswer } from "./read-answer.ts";
import { sessionChanges } from "./session-changes.ts";
import { failureContent, successMessage } from "./tool-message.ts";

/** What came of a call: the content of its `tool` message, changes of client data, and what its log is made of. */
export type Ending = EndedCall & { readonly content: string; readonly changes?: ClientDataChanges };

/** What a result means, by the rules of the status codes: redacted for the model, as it is for the log. */
export function conclude(redactor: Redactor, trigger: Trigger, result: WebhookResult): Ending {
  return result.kind === "failed" ? concludeFailure(redactor, result) : concludeAnswer(redactor, trigger, result);
}

function concludeAnswer(
  redactor: Redactor,
  trigger: Trigger,
  result: WebhookResult & { readonly kind: "answered" },
): Ending {
  const { status, contentType, body, attempts } = result;
  const answer = readAnswer(contentType, body);
  const merge = answer.json === undefined ? undefined : sessionChanges(redactor, answer.json.value);
  const ending = {
    attempts,
    response: { status, contentType, bytes: body.length, answer },
    // Also of an answer that is no success: what it says of the session stands whatever became of the call.
    changes: merge?.changes ?? [],
    warnings: [...answer.warnings, ...(merge?.warnings ?? [])],
  };
  if (status >= 200 && status <= 299) {
    return { ...ending, content: successMessage(redactor, status, trigger.directive, answer) };
  }
  const error = statusError(status);
  const shown = status >= 400 && status <= 499 ? answer : undefined;
  return { ...ending, content: failureContent(redactor, status, error, shown), error };
}

function concludeFailure(redactor: Redactor, result: WebhookResult & { readonly kind: "failed" }): Ending {
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
      detail: `The target answered ${status}, which is not a final status.`,
    };
  }
  const code = status < 400 ? "redirect_blocked" : "http_error";
  return { code, message: statusMessage(status), certainty: "failed", detail: `The target answered ${status}.` };
}
