import type { WebhookRequest } from "@tollgate/core/extension";
import { isHeaderName, reservedHeader } from "@tollgate/core/internal";
import { Webhook } from "standardwebhooks";
import { Fault } from "./fault.ts";

/** Alternating names and values, in the format of node:http. Each character of a value stands for one byte. */
export type RawHeaders = readonly string[];

type Header = readonly [name: string, value: string];

/**
 * The headers of one attempt: those of the request, and default headers that the request does not set. Throws
 * `blocked_target` for a name or value that must not be sent, and for an invalid signing secret.
 */
export function outgoingHeaders(request: WebhookRequest, authority: string, body: Uint8Array | undefined): RawHeaders {
  for (const header of request.headers) requireSendable(header);
  const signature = signatureOf(request);
  const own = request.headers.filter(([name]) => !has(signature, name));
  const added = defaults(request).filter(([name]) => !has(own, name));
  const length: Header[] =
    body === undefined && request.method === "GET" ? [] : [["content-length", `${body?.length ?? 0}`]];
  const all: Header[] = [["host", authority], ...own, ...added, ...signature, ...length, ["connection", "close"]];
  return all.flatMap(([name, value]) => [name, Buffer.from(value, "utf8").toString("latin1")]);
}

function requireSendable([name, value]: Header): void {
  if (!isHeaderName(name) || hasControl(value)) {
    throw new Fault("blocked_target", "A header name or value contains characters that cannot be sent. Remove them.");
  }
  if (reservedHeader(name) !== undefined)
    throw new Fault("blocked_target", `The header ${name} is reserved. Remove it from the webhook.`);
}

const hasControl = (value: string) => [...value].some((each) => (each < " " && each !== "\t") || each === "\x7f");

function defaults({ id, method, body }: WebhookRequest): Header[] {
  return [
    ...(body === undefined ? [] : [["content-type", "application/json"] as const]),
    ["accept", "application/json, text/*;q=0.9, */*;q=0.1"],
    ["accept-encoding", "gzip, deflate, br"],
    ["user-agent", "Tollgate"],
    ...(method === "GET" ? [] : [["idempotency-key", id] as const]),
  ];
}

/** Signs each attempt with its own timestamp and the same id (https://www.standardwebhooks.com). */
function signatureOf({ id, body = "", signingSecret }: WebhookRequest): Header[] {
  if (signingSecret === undefined) return [];
  const now = new Date();
  return [
    ["webhook-id", id],
    ["webhook-timestamp", `${Math.floor(now.getTime() / 1_000)}`],
    ["webhook-signature", readSecret(signingSecret).sign(id, now, body)],
  ];
}

function readSecret(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new Fault("blocked_target", "The signing secret is invalid. Use `whsec_` followed by base64.");
  }
}

const has = (headers: readonly Header[], wanted: string) =>
  headers.some(([name]) => name.toLowerCase() === wanted.toLowerCase());
