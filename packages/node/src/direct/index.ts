import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mountable } from "@tollgate/core";
import type { GatewayResponse } from "@tollgate/core/internal";
import type { MountedRequest, NodeResponder } from "../mounted-request.ts";
import { keepVary, linger } from "../response-guards.ts";
import { NodeRequest } from "./node-request.ts";
import { writeAnswer } from "./write-answer.ts";

/**
 * The direct edge: node:http to the gateway and back without a Fetch Request and Response, for chat completions. Its
 * path is the body of the function: `node-request.ts` reads the request, with `read-body.ts` (whole bodies) and
 * `body-reader.ts` (bodies in pieces) for the body and `response-signal.ts` for a client that leaves; `write-answer.ts`
 * writes the answer.
 */
export function directResponder(gateway: Mountable): NodeResponder {
  return async (req, res, mounted, fail) => {
    try {
      // Not by way of `directAnswer`, whose promise costs a request some 5%.
      const answer = await gateway.handle(new NodeRequest(req, res, mounted));
      linger(req, res);
      writeAnswer(keepVary(answer, res), res, gateway.unread);
    } catch (cause) {
      if (res.headersSent) res.destroy();
      else fail(cause);
    }
  };
}

/** The first half of the direct edge, for a host that sends the answer itself. Rejects for a fault of the host only. */
export async function directAnswer(
  gateway: Mountable,
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
): Promise<GatewayResponse> {
  const answer = await gateway.handle(new NodeRequest(req, res, mounted));
  linger(req, res);
  return gateway.unread.paced(answer);
}
