import type { WebhookMethod } from "../../ports/webhook-runner.ts";
import type { RenderedWebhook } from "../definition/compiled-webhook.ts";
import { isCredentialName } from "../redaction/credential-names.ts";
import type { Redactor } from "../redaction/redactor.ts";

/** A rendered webhook as it may be shown. */
export interface ShownWebhook {
  readonly method: WebhookMethod;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null: none is sent. */
  readonly body: string | null;
}

/** A webhook without secrets, for a dry run; the values of headers that are named like a credential are hidden whole. */
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
