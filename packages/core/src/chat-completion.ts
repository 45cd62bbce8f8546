import { answerJson } from "./dialects/chat/answer-json.ts";
import { answerStream } from "./dialects/chat/answer-stream.ts";
import type { GatewayResponse } from "./ports/gateway-response.ts";
import type { Held, RequestContext } from "./request/request-stages.ts";
import type { Services } from "./request/services.ts";
import { admit } from "./steps/admit.ts";
import { prepareAndHold } from "./steps/prepare-and-hold.ts";
import { readBody } from "./steps/read-body.ts";
import { releaseAdmission } from "./steps/release-admission.ts";

/**
 * POST /chat/completions, from key to answer. Each step takes the type that the step before returned, so that none can
 * be left out or moved. A step that refuses the request throws a GatewayError, and everything taken before is released.
 */
export async function chatCompletion(services: Services, context: RequestContext): Promise<GatewayResponse> {
  const admitted = await admit(services, context);
  let held: Held;
  try {
    const withBody = await readBody(services, admitted);
    held = await prepareAndHold(services, withBody);
  } catch (error) {
    releaseAdmission(services, admitted);
    throw error;
  }
  // From here on, closing the bill releases what was taken, which may be after the response was sent.
  return await (held.content.chat.stream === true ? answerStream(services, held) : answerJson(services, held));
}
