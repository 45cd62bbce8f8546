import { requireClient } from "./answering/call/bill.ts";
import type { DialectCodec } from "./answering/dialect-codec.ts";
import { complete } from "./answering/json/complete.ts";
import { CompletionStream } from "./answering/stream/completion-stream.ts";
import { type GatewayResponse, jsonTextResponse, streamHeaders } from "./ports/gateway-response.ts";
import { answerHeaders, type Held, type RequestContext } from "./request/request-stages.ts";
import type { Services } from "./request/services.ts";
import { admit } from "./steps/admit.ts";
import { prepareAndHold } from "./steps/prepare-and-hold.ts";
import { readBody } from "./steps/read-body.ts";
import { releaseAdmission } from "./steps/release-admission.ts";

/**
 * The path of every request that calls a model, from key to answer, in any dialect. Each step takes the type that the step
 * before returned, so that none can be left out or moved. A step that refuses the request throws a GatewayError, and
 * everything taken before is released.
 */
export const modelCall = (codec: DialectCodec) => async (services: Services, context: RequestContext) => {
  const admitted = await admit(services, context, codec);
  let held: Held;
  try {
    const withBody = await readBody(services, admitted);
    held = await prepareAndHold(services, withBody, codec);
  } catch (error) {
    releaseAdmission(services, admitted);
    throw error;
  }
  // From here on, closing the bill releases what was taken, which may be after the response was sent.
  return await (held.content.chat.stream === true
    ? answerStream(services, held, codec)
    : answerJson(services, held, codec));
};

/** Check 11 without streaming: returns the answer of the first target that succeeds as one JSON response. */
async function answerJson(services: Services, held: Held, codec: DialectCodec): Promise<GatewayResponse> {
  const { json, attempts } = await complete(services, held, codec);
  services.content?.logCompletion(held, json);
  const onAnswer = held.content.native?.onAnswer;
  if (onAnswer === undefined) return jsonTextResponse(200, answerHeaders(held, attempts), json);
  return jsonTextResponse(200, answerHeaders(held, attempts), await onAnswer(json));
}

/** Check 11 with streaming: resolves with the first content, or after `responseStartTimeoutMs`. Rejects with an error before that, which becomes an HTTP error status. */
async function answerStream(services: Services, held: Held, codec: DialectCodec): Promise<GatewayResponse> {
  requireClient(services, held);
  const stream = new CompletionStream(services, held, codec);
  const body = services.content?.logStream(held, stream.body, codec.dialect) ?? stream.body;
  try {
    await stream.body.started;
  } catch (error) {
    // The error response has these headers too.
    answerHeaders(held, stream.attempts);
    throw error;
  }
  return { status: 200, headers: { ...answerHeaders(held, stream.attempts), ...streamHeaders }, body };
}
