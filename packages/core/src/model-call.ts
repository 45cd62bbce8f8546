import { requireClient } from "./answering/call/bill.ts";
import { complete } from "./answering/json/complete.ts";
import type { ModelApi } from "./answering/model-api.ts";
import { CompletionStream } from "./answering/stream/completion-stream.ts";
import { type GatewayResponse, jsonTextResponse, streamHeaders } from "./ports/gateway-response.ts";
import type { Exchange } from "./request/exchange.ts";
import { answerHeaders, type PaidCall } from "./request/paid-call.ts";
import type { Services } from "./request/services.ts";
import { authenticate, enter, releaseAdmission, requireTerms } from "./steps/admit.ts";
import { pay } from "./steps/pay.ts";
import { readBody } from "./steps/read-body.ts";
import { asText } from "./wire/bytes.ts";

/**
 * The path of every request that calls a model, from key to answer, in any dialect. A step that refuses the request throws a
 * GatewayError, and everything taken before is released.
 */
export const modelCall = (api: ModelApi) => async (services: Services, exchange: Exchange) => {
  const caller = await authenticate(services, exchange, api.keyHeaders); // 401
  const terms = await requireTerms(services, caller.key.account); // 428
  const slot = await enter(services, exchange, caller, api.dialect); // 403, 429, 503
  const admission = { exchange, caller, terms, slot };
  let paid: PaidCall;
  try {
    const body = await readBody(services, admission); // 413, 408
    const call = await api.parse(services, admission, body); // 400
    paid = await pay(services, admission, call); // 404, 403, 400, 429, 402
  } catch (error) {
    releaseAdmission(services, admission);
    throw error;
  }
  // From here on, closing the bill releases what was taken, which may be after the response was sent.
  if (paid.call.stream) return await answerStream(services, paid, api);
  const { json, attempts } = await complete(services, paid, api);
  services.content?.logCompletion(paid, json);
  const onAnswer = paid.call.native?.onAnswer;
  const body = onAnswer === undefined ? json : await onAnswer(asText(json));
  return jsonTextResponse(200, answerHeaders(paid, attempts), body);
};

/** Resolves with the first content, or after `responseStartTimeoutMs`. Rejects with an error before that, which becomes an HTTP error status. */
async function answerStream(services: Services, paid: PaidCall, api: ModelApi): Promise<GatewayResponse> {
  requireClient(services, paid);
  const stream = new CompletionStream(services, paid, api);
  const body = services.content?.logStream(paid, stream.body, api.mergeFrames) ?? stream.body;
  try {
    await stream.body.started;
  } catch (error) {
    // The error response has these headers too.
    answerHeaders(paid, stream.attempts);
    throw error;
  }
  return { status: 200, headers: { ...answerHeaders(paid, stream.attempts), ...streamHeaders }, body };
}
