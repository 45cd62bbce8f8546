import type { ServerResponse } from "node:http";
import type { NoticeEndpoint } from "@tollgate/core";
import { Webhook } from "standardwebhooks";
import { type WebhookTarget, webhookTarget } from "./webhook-target.ts";

/** A notice that an endpoint received with a valid signature. */
export interface ReceivedNotice {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A real server that receives notices, for `notices.endpoints`. */
export interface NoticeReceiver {
  readonly target: WebhookTarget;
  readonly endpoint: NoticeEndpoint;
  /** All notices in the order of their arrival, also those that `answer` refused. */
  readonly notices: ReceivedNotice[];
  /** Answers a notice; by default with 204. */
  answer: (notice: ReceivedNotice, res: ServerResponse) => void;
}

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Starts a receiver. It answers 401 for an invalid signature, and does not record such a notice. */
export async function noticeReceiver(name = "billing"): Promise<NoticeReceiver> {
  const target = await webhookTarget();
  const webhook = new Webhook(secret);
  const receiver: NoticeReceiver = {
    target,
    endpoint: { name, url: `${target.url}/hooks`, secret },
    notices: [],
    answer: (_notice, res) => void res.writeHead(204).end(),
  };
  target.answer = ({ body, headers }, res) => {
    const signed = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]));
    try {
      webhook.verify(body, signed);
    } catch {
      return void res.writeHead(401).end();
    }
    const notice = { ...JSON.parse(body), id: signed["webhook-id"] ?? "" };
    receiver.notices.push(notice);
    return receiver.answer(notice, res);
  };
  return receiver;
}
