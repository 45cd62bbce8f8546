import { readCompletion } from "../../../answering/json/read-completion.ts";
import type { ReadAnswer } from "../../../answering/model-api.ts";
import { noUsage } from "../../../money/cost.ts";
import type { ModelTarget } from "../../../ports/model.ts";
import type { ProviderAnswer } from "../../../ports/provider-adapter.ts";
import type { Exchange } from "../../../request/exchange.ts";
import type { PaidCall } from "../../../request/paid-call.ts";
import { writeExactJson } from "../../../wire/exact-json.ts";
import { sequencesOf } from "./stop-reason.ts";
import { toMessage } from "./to-message.ts";

/** Reads the completion of a target as an answer of the Messages API. Throws a ProviderError if it is not an answer. */
export function readTranslated(paid: PaidCall, target: ModelTarget, given: ProviderAnswer): ReadAnswer {
  const read = readCompletion(paid, target, given);
  const identity = { id: messageId(paid.exchange), sequences: sequencesOf(paid.call.chat["stop"]) };
  const message = toMessage(read.completion, identity, read.usage ?? noUsage);
  return {
    usage: read.usage,
    output: read.output,
    answerId: identity.id,
    finishReasons: read.finishReasons,
    json: writeExactJson(message),
    withUsage: (charged) => writeExactJson(toMessage(read.completion, identity, charged)),
  };
}

/** The id of an answer whose target has none for it. */
export const messageId = ({ id }: Pick<Exchange, "id">): string => `msg_${id.replaceAll("-", "")}`;
