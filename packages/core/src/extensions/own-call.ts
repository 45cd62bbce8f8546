import type { ModelRequest } from "../ports/model-calls.ts";
import { Call } from "../request/call.ts";
import type { Admission, PaidCall } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { guard } from "../steps/admit.ts";
import { checkFeatures } from "../steps/check-call.ts";
import { schemaError } from "../steps/parse-request.ts";
import { pay, selectModel } from "../steps/pay.ts";
import { asksToHideReasoning } from "../wire/asks-to-hide.ts";
import { byteLength } from "../wire/bytes.ts";
import { type ChatCompletionRequest, readChatParameters } from "../wire/chat-completion-request.ts";
import { RequestText } from "../wire/forwarding/request-text.ts";
import { TranslatedText, withThoughts } from "../wire/forwarding/translated-text.ts";
import { writeLosslessJson } from "../wire/lossless-json.ts";
import { promptOf } from "../wire/prompt.ts";

/** Pays for a call that an extension makes, by the steps of a chat completion. It has an id, a start and headers of its own. */
export async function payForOwnCall(
  services: Services,
  { exchange, caller, terms, slot }: Admission,
  request: ModelRequest,
  stream: boolean,
): Promise<PaidCall> {
  const { request: client, requestId, report } = exchange;
  const own = { request: client, id: crypto.randomUUID(), requestId, startedAt: Date.now(), headers: {}, report };
  const admission = { exchange: own, caller, terms, slot };
  slot.retain();
  return await guard(services, admission, async () => pay(services, admission, ownCall(request, stream)));
}

/** Throws the error that a call would get for its model, or for a feature that key, plan or model does not have. */
export function requireModel(services: Services, { exchange, caller }: Admission, request: ModelRequest): void {
  const call = ownCall(request, false);
  const model = selectModel(services, caller, call, exchange.startedAt);
  exchange.report.model = model.id;
  checkFeatures(caller, call, model);
}

/**
 * Makes the call of a chat completion that the gateway itself writes. It is not scanned, since what the scan would find is
 * known, and it is encoded once for each target.
 */
function ownCall({ messages, tools, ...settings }: ModelRequest, stream: boolean): Call {
  const streamed = stream ? { stream: true, stream_options: { include_usage: true } } : {};
  const offered = tools === undefined || tools.length === 0 ? {} : { tools: [...tools] };
  const read = readChatParameters({ ...settings, ...streamed, ...offered });
  if ("problem" in read) throw schemaError(read.problem);
  const request: ChatCompletionRequest = { ...read.parameters, ...offered, messages: messages.map(withThoughts) };
  return new Call({
    dialect: "chat",
    chat: read.parameters,
    prompt: promptOf(messages),
    body: noBody,
    translate: () => new TranslatedText(request),
    bytes: byteLength(writeLosslessJson(request)),
    inspected: nothingFound,
    hasHiddenReasoning: asksToHideReasoning(read.parameters),
    native: undefined,
  });
}

const noBody = new RequestText(new Uint8Array(), { members: [], removals: [] }, undefined);
const nothingFound = { pricedMembers: new Map<string, string>(), ttl: undefined, asksForHour: false, spellings: [] };
