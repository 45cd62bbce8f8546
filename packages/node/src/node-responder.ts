import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, Mountable } from "@tollgate/core";
import { keepVary } from "./keep-vary.ts";
import { linger } from "./linger.ts";
import { type MountedRequest, NodeRequest } from "./node-request.ts";
import { writeAnswer } from "./write-answer.ts";

/**
 * Answers a request of node:http; resolves when the answer has been handed to the response. `fail` receives what went wrong before anything was sent: a fault of the host,
 * never of the client.
 */
export type NodeResponder = (
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
  fail: (cause: unknown) => void,
) => Promise<void>;

/** Asks a gateway for the answer to a request of node:http, which the caller sends. Rejects for a fault of the host only. */
export async function answerNode(
  gateway: Mountable,
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
): Promise<Answer> {
  const answer = await gateway.answer(new NodeRequest(req, res, mounted));
  linger(req, res);
  return gateway.unread.paced(answer);
}

/** Joins a gateway to the request and response of node:http. */
export function nodeResponder(gateway: Mountable): NodeResponder {
  return async (req, res, mounted, fail) => {
    try {
      // Not by way of `answerNode`, whose promise costs a request some 5%.
      const answer = await gateway.answer(new NodeRequest(req, res, mounted));
      linger(req, res);
      writeAnswer(keepVary(answer, res), res, gateway.unread);
    } catch (cause) {
      if (res.headersSent) res.destroy();
      else fail(cause);
    }
  };
}
