import express from "express";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

/** What a notice says. Amounts are decimal strings. */
interface Notice {
  readonly type: string;
  readonly data: { readonly account: string; readonly posted: string };
}

/**
 * Receives the notices of the gateway, and mails those about a low balance to customers who have an address for them. It needs
 * the exact bytes, so mount it before `express.json()`. A notice may arrive twice, always with the same `webhook-id`.
 */
export function lowBalanceMail(
  secret: string,
  mailAddress: (account: string, type: "balance.low") => Promise<string | undefined>,
  sendMail: (address: string, text: string, id: string) => Promise<void>,
): express.Router {
  const router = express.Router();
  router.post("/notices", express.text({ type: "application/json" }), async (request, response) => {
    const id = request.get("webhook-id") ?? "";
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": request.get("webhook-timestamp") ?? "",
      "webhook-signature": request.get("webhook-signature") ?? "",
    };
    const { type, data } = readNotice(secret, String(request.body), headers);
    const address = type === "balance.low" ? await mailAddress(data.account, type) : undefined;
    if (address !== undefined) await sendMail(address, `${data.posted} are left. Top up at /billing.`, id);
    return response.sendStatus(204);
  });
  return router;
}

/** Throws with the status 401, which Express answers, if the signature is not that of the gateway. */
function readNotice(secret: string, body: string, headers: Record<string, string>): Notice {
  try {
    new Webhook(secret).verify(body, headers);
  } catch (cause) {
    if (!(cause instanceof WebhookVerificationError)) throw cause;
    throw Object.assign(new Error("This notice is not signed by the gateway.", { cause }), { status: 401 });
  }
  return JSON.parse(body);
}
