import type { WebhookRequest } from "@tollgate/core/assistants";
import { isHeaderName, isReservedHeader } from "@tollgate/core/internal";
import { Webhook } from "standardwebhooks";
import { Fault } from "./fault.ts";

/** Names and values by turns, in order, as node:http writes them: each character of a value is one octet. */
export type RawHeaders = readonly string[];

type Header = readonly [name: string, value: string];

/**
 * The headers of one try: those of the request, and those that the runner adds where the request has none of the
 * name. Throws a `blocked_target` for a name or value that must not be sent, and for a signing secret that is none.
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
    throw new Fault("blocked_target", "A header has a name or a value with characters that cannot be sent.");
  }
  if (isReservedHeader(name)) throw new Fault("blocked_target", `The header ${name} is not the webhook's to set.`);
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

/** Each try is signed as of its own time, under the same id (https://www.standardwebhooks.com). */
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
    throw new Fault("blocked_target", "The signing secret is none. Give `whsec_` and base64.");
  }
}

const has = (headers: readonly Header[], wanted: string) =>
  headers.some(([name]) => name.toLowerCase() === wanted.toLowerCase());
