import type { DeliveryState, WebhookFailure } from "@tollgate/core/extension";

// The same message for all of them, so that it reveals nothing about the network.
const unreachable = "The webhook could not be reached. Tell the user that this action is not possible at the moment.";
const retry = "Try again once, or tell the user that it failed.";

const messages: Readonly<Record<WebhookFailure, string>> = {
  blocked_target: unreachable,
  dns_error: unreachable,
  connect_error: unreachable,
  tls_error: unreachable,
  timeout: "The webhook did not respond in time.",
  response_too_large: "The webhook's response was too large. Request less data if the parameters allow that.",
  invalid_response:
    "The webhook's response could not be read. Tell the user that this action is not possible at the moment.",
  cancelled: "The webhook call was cancelled before a response arrived.",
};

/** Tells the model why a call has no response, and what to do next. */
export function failureMessage(failure: WebhookFailure, certainty: DeliveryState): string {
  if (certainty !== "unknown") return failure === "timeout" ? `${messages.timeout} ${retry}` : messages[failure];
  return `${messages[failure]} The action may or may not have been performed. Check that before calling the webhook again.`;
}

/** Tells the model about a response with an error status, and what to do next. */
export function statusMessage(status: number): string {
  if (status < 400) {
    return "The webhook returned a redirect, which is not followed. Tell the user that this failed.";
  }
  if (status < 500) {
    return `The webhook refused the call with status ${status}. Correct the arguments if its response says how.`;
  }
  return `The webhook failed with status ${status}. ${retry}`;
}
