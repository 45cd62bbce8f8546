import type { WebhookMethod } from "../../ports/webhook-runner.ts";
import type { RenderedWebhook } from "../definition/compiled-webhook.ts";
import { isCredentialName } from "../redaction/credential-names.ts";
import type { Redactor } from "../redaction/redactor.ts";

/** A redacted webhook. */
export interface ShownWebhook {
  readonly method: WebhookMethod;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null: the request has no body. */
  readonly body: string | null;
}

/** Redacts a webhook for a dry run. Headers whose names mark a credential are redacted completely. */
export function describeWebhook(redactor: Redactor, request: RenderedWebhook): ShownWebhook {
  return {
    method: request.method,
    url: redactor.url(request.url),
    headers: request.headers.map(([name, value]) => [
      name,
      isCredentialName(name) ? "[redacted]" : redactor.text(value),
    ]),
    body: request.body === undefined ? null : redactor.text(request.body),
  };
}
