import { complete } from "../answering/json/complete.ts";
import { chatApi } from "../dialects/chat/chat-api.ts";
import { clientGone, draining } from "../errors/call-errors.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { type GatewayResponse, jsonResponse } from "../ports/gateway-response.ts";
import type { ModelAnswer, ModelCalls, OwnAnswer } from "../ports/model-calls.ts";
import type { Admission } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import type { AnswerIdentity } from "../wire/chat-completion.ts";
import type { ToolCall } from "../wire/chat-completion-request.ts";
import { isJsonObject } from "../wire/json.ts";
import { messageTexts } from "../wire/message-texts.ts";
import type { NormalizedCompletion } from "../wire/normalize-completion.ts";
import { sumUsage, type Usage } from "../wire/usage.ts";
import { payForOwnCall } from "./own-call.ts";

/** The work of an extension that makes an answer of any number of calls. */
export type RunAnswer = (calls: ModelCalls) => Promise<OwnAnswer>;

/** Runs an answer and returns it as one completion. */
export async function answerJson(
  services: Services,
  admission: Admission,
  model: string,
  run: RunAnswer,
): Promise<GatewayResponse> {
  const { request, headers } = admission.exchange;
  let usage: Usage | undefined;
  const { message, finishReason } = await run({
    async call(asked) {
      const paid = await payForOwnCall(services, admission, asked, false);
      // After the client has left, a call may still run so that it can be billed. Nobody waits for it.
      const { read } = await whileClientWaits(request, complete(services, paid, chatApi));
      usage = sumUsage(usage, read.completion.usage);
      return modelAnswer(read.completion);
    },
    requireClient() {
      if (request.signal.aborted) throw clientGone();
    },
    requireRunning: () => requireRunning(admission),
  });
  const { id, created } = identityOf(admission, model);
  return jsonResponse(200, headers, {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: sumUsage(usage, undefined),
    system_fingerprint: null,
  });
}

/** Settles as `pending` does, or rejects as soon as the client leaves. */
function whileClientWaits<T>({ signal }: ClientRequest, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(clientGone());
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The id, time and model in a completion, or in each of its frames. They do not depend on the number of calls. */
export const identityOf = ({ exchange }: Admission, model: string): AnswerIdentity => ({
  id: `chatcmpl-${exchange.requestId}`,
  created: Math.floor(exchange.startedAt / 1000),
  model,
});

/** Throws when the client has left, and when a drain has ended. */
export function requireRunning({ exchange, slot }: Admission): void {
  if (exchange.request.signal.aborted) throw clientGone();
  if (slot.aborted) throw draining();
}

/** Reads the first choice of a completion. */
export function modelAnswer({ choices: [choice] }: NormalizedCompletion): ModelAnswer {
  return {
    ...messageTexts(choice?.message ?? {}),
    toolCalls: readToolCalls(choice?.message["tool_calls"]),
    finishReason: choice?.finish_reason ?? "stop",
  };
}

/** A call with a missing or repeated id gets a new one, since its result is matched by id. */
function readToolCalls(calls: unknown): ToolCall[] {
  const ids = new Set([""]);
  return (Array.isArray(calls) ? calls.flatMap(readToolCall) : []).map((call) => {
    const id = ids.has(call.id) ? `call_${crypto.randomUUID()}` : call.id;
    ids.add(id);
    return { ...call, id };
  });
}

/** Returns no call when it names no function. */
function readToolCall(call: unknown): ToolCall[] {
  const called = isJsonObject(call) ? call["function"] : undefined;
  if (!isJsonObject(call) || !isJsonObject(called) || typeof called["name"] !== "string") return [];
  const { id } = call;
  const callArguments = called["arguments"];
  return [
    {
      id: typeof id === "string" ? id : "",
      type: "function",
      function: {
        name: called["name"],
        arguments: typeof callArguments === "string" ? callArguments : JSON.stringify(callArguments ?? {}),
      },
    },
  ];
}
