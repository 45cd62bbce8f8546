import type { ShownWebhook } from "@tollgate/core/extension";
import type { RenderedWebhook } from "../definition/compiled-webhook.ts";
import { isCredentialName } from "../redaction/credentials.ts";
import type { Redactor } from "../redaction/redactor.ts";

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
