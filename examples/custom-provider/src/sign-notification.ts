import { createHmac } from "node:crypto";
import type { Notification, Signing } from "@tollgate/contract";
import type { PaymentEvent } from "@tollgate/payments";

/** Makes a notification as Acme Pay does, or as somebody who forges one. For tests. */
export function signNotification(
  { provider: _, ...event }: PaymentEvent,
  how: Signing,
  { signingSecret, shop }: { readonly signingSecret: string; readonly shop: string },
): Notification {
  const told = { ...event, shop: how === "other_gateway" ? "another" : shop };
  const body = JSON.stringify(how === "unreadable" ? { ...told, at: 7 } : told, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  if (how === "unsigned") return { body: bytes(body), headers };
  const seconds = Math.floor(Date.now() / 1_000) - (how === "old" ? 3_600 : 0);
  const secret = { empty_secret: "", other_secret: "the secret of another endpoint" }[String(how)] ?? signingSecret;
  const code = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  const sent = how === "tampered" ? body.replace("{", "{ ") : body;
  return { body: bytes(sent), headers: { ...headers, "acme-signature": `t=${seconds},v1=${code}` } };
}

const headers = { "content-type": "application/json" };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
