import { answerHeaders } from "../../answering/call/answer-headers.ts";
import { complete } from "../../answering/json/complete.ts";
import { type Answer, writtenAnswer } from "../../ports/answer.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";

/** Check 11 for an answer in one piece. */
export function answerJson(services: Services, held: Held): Promise<Answer> {
  return complete(services, held, ({ json, jsonBytes, attempts }) =>
    writtenAnswer(200, answerHeaders(held, attempts), json, jsonBytes),
  );
}
