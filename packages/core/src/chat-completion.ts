import { answerJson } from "./answering/json/complete.ts";
import { answerStream } from "./dialects/chat/answer-stream.ts";
import type { Answer } from "./ports/answer.ts";
import type { Incoming } from "./request/incoming.ts";
import type { Services } from "./request/services.ts";
import { type Awaitable, mapAwaitable } from "./runtime/awaitable.ts";
import { admit } from "./steps/admit.ts";
import { checkFeatures } from "./steps/check-features.ts";
import { checkParameters } from "./steps/check-parameters.ts";
import { type Held, holdBalance } from "./steps/hold-balance.ts";
import { parseRequest } from "./steps/parse-request.ts";
import { readBody, type WithBody } from "./steps/read-body.ts";
import { releaseAdmission } from "./steps/release-admission.ts";
import { reserveTokens } from "./steps/reserve-tokens.ts";
import { selectModel } from "./steps/select-model.ts";

/**
 * POST /chat/completions, from key to answer. Each step takes what the step before gave, so that none can be left
 * out or moved; a step that refuses throws a GatewayError, and what was taken before it is given back.
 */
export async function chatCompletion(services: Services, incoming: Incoming): Promise<Answer> {
  const entering = admit(services, incoming);
  const admitted = entering instanceof Promise ? await entering : entering;
  let held: Held;
  try {
    const paying = prepareAndHold(services, await readBody(services, admitted));
    held = paying instanceof Promise ? await paying : paying;
  } catch (error) {
    releaseAdmission(services, admitted);
    throw error;
  }
  // From here on the bill gives back what was taken when it is closed, which may be after the answer has gone out.
  return await (held.chat.stream === true ? answerStream(services, held) : answerJson(services, held));
}

/** The middle of the path, from a body to a request that is paid for as far as it may go; a turn goes through it with each call of its model. */
export function prepareAndHold(services: Services, record: WithBody): Awaitable<Held> {
  return mapAwaitable(parseRequest(record), (parsed) => {
    selectModel(services, parsed);
    checkFeatures(parsed);
    checkParameters(parsed);
    return mapAwaitable(reserveTokens(services, parsed), (reserved) => holdBalance(services, reserved));
  });
}
