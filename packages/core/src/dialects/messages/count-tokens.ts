import { clientGone, outOfTime } from "../../errors/call-errors.ts";
import { estimateTextTokens, type TokenCounter } from "../../money/token-counter.ts";
import { Cancellation } from "../../ports/cancellation.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import type { Model, ModelTarget } from "../../ports/model.ts";
import type { NativeCall, NativeMethod } from "../../ports/provider-adapter.ts";
import type { Transport } from "../../ports/transport.ts";
import { RequestPreference } from "../../request/conversation.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { planTargets } from "../../routing/plan-targets.ts";
import { steadyNow, wait } from "../../runtime/timers.ts";
import { admit, bearerOrApiKey, requireFunds } from "../../steps/admit.ts";
import { checkCall } from "../../steps/check-call.ts";
import { selectModel } from "../../steps/pay.ts";
import { readBody } from "../../steps/read-body.ts";
import { decodeUtf8 } from "../../wire/bytes.ts";
import { isJsonObject, isText } from "../../wire/json.ts";
import { findNamed, scanJson } from "../../wire/json-members.ts";
import type { Prompt } from "../../wire/prompt.ts";
import { isTokenCount } from "../../wire/usage.ts";
import { parseMessages } from "./request/parse-messages.ts";

/**
 * POST /messages/count_tokens: returns the number of input tokens, which costs nothing, but needs a balance like the request
 * itself. A target that can count is asked. Without one, if it fails, or if the key has too many such calls, the answer is
 * an estimate.
 * Follows https://platform.claude.com/docs/en/build-with-claude/token-counting
 */
export async function countTokens(services: Services, exchange: Exchange): Promise<GatewayResponse> {
  const admission = await admit(services, exchange, { keyHeaders: bearerOrApiKey, dialect: "messages" });
  const { caller, slot } = admission;
  try {
    const body = await readBody(services, admission);
    const call = await parseMessages(services, admission, body, true);
    const model = selectModel(services, caller, call, exchange.startedAt);
    exchange.report.model = model.id;
    checkCall(caller, call, model);
    await requireFunds(services, caller);
    const counted = await askTarget(services, { exchange, caller, slot, call, model });
    const tokens = counted ?? estimateInputTokens(services.tokens, call.prompt, model, body);
    return jsonResponse(200, exchange.headers, { input_tokens: tokens });
  } finally {
    slot.release();
  }
}

/** Returns undefined if no target can count, or if the one that was asked did not. */
async function askTarget({ health, transport, counting }: Services, counted: CountedCall): Promise<number | undefined> {
  const { targets } = counted.model;
  const { key } = counted.caller;
  const able = targets.filter(({ provider }) => provider.dialects?.countTokens !== undefined);
  const [target] = able.length === 0 ? [] : planTargets(able, health, new RequestPreference(counted), steadyNow());
  const method = target?.provider.dialects?.countTokens;
  if (target === undefined || method === undefined || !counting.begin(key.id)) return undefined;
  try {
    return await countAt(target, method, counted, transport);
  } catch {
    return undefined;
  } finally {
    counting.end(key.id);
  }
}

/** A call whose tokens are counted, which costs nothing. */
type CountedCall = Pick<PaidCall, "exchange" | "caller" | "slot" | "call" | "model">;

/** A count is not worth a longer wait, since there is an estimate. */
const maxMs = 10_000;

/** Asks a target for the number of input tokens. Rejects if it fails, takes too long, or the request ends. */
async function countAt(
  target: ModelTarget,
  method: NativeMethod,
  { exchange, slot, call, model }: CountedCall,
  transport: Transport,
) {
  const { native } = call;
  const cancellation = new Cancellation();
  const sent: NativeCall = {
    model: target.upstreamModel,
    publicModel: model.id,
    stream: false,
    headers: native?.headers ?? {},
    query: native?.query ?? {},
    connectMs: target.limits.connectMs,
    requestId: exchange.requestId,
    transport,
    cancellation,
    get signal() {
      return cancellation.signal;
    },
    encoded: () =>
      native === undefined ? call.original : native.text.changed(native.changes(target, undefined, model)),
  };
  const limitMs = Math.min(target.limits.headMs, maxMs);
  const cancelLimit = wait(limitMs, () => cancellation.abort(outOfTime("head", limitMs)));
  const leave = () => cancellation.abort(clientGone());
  const { signal } = exchange.request;
  signal.addEventListener("abort", leave);
  slot.onAbort(cancellation);
  try {
    return await Promise.race([method(sent).then(readCount), whenAborted(cancellation)]);
  } finally {
    cancelLimit();
    signal.removeEventListener("abort", leave);
  }
}

/** An adapter may ignore the signal. */
const whenAborted = (cancellation: Cancellation): Promise<never> =>
  new Promise((_resolve, reject) => cancellation.addEventListener("abort", () => reject(cancellation.reason)));

function readCount(answer: Awaited<ReturnType<NativeMethod>>): number | undefined {
  if (answer.kind === "stream") {
    answer.bytes.cancel();
    return undefined;
  }
  const counted: unknown = JSON.parse(decodeUtf8(answer.body) ?? "null");
  const tokens = isJsonObject(counted) ? counted["input_tokens"] : undefined;
  return isTokenCount(tokens) ? tokens : undefined;
}

/** The marks around a message and its role, in the templates of most models. */
const tokensPerMessage = 4;
/** The start of the answer, which ends the prompt. */
const tokensPerRequest = 3;
/** What a part of unknown size counts, such as a PDF of two pages. The hold counts the most that it could be. */
const tokensPerUnknownPart = 4_096;

/**
 * Estimates the input tokens of a request: those that the host counts in its texts, or else those of their characters, and
 * those of the template, of images and of files. `body` is the request as the client sent it.
 */
function estimateInputTokens(tokens: TokenCounter, prompt: Prompt, model: Model, body: Uint8Array): number {
  const text = [...messageTexts(prompt), ...toolTexts(body)].join("\n");
  const template = tokensPerMessage * prompt.messages.length + tokensPerRequest;
  const media = prompt.images.count * model.imageTokens + prompt.unknown.count * tokensPerUnknownPart;
  return template + media + (tokens.text(text, model.id) ?? estimateTextTokens(text));
}

const messageTexts = ({ messages }: Prompt): string[] =>
  messages.flatMap(({ content }) => {
    if (typeof content === "string") return [content];
    return (content ?? []).map(({ text }) => text).filter(isText);
  });

/** The texts of the tools. Templates write a schema in several ways, with less punctuation than JSON has. */
function toolTexts(body: Uint8Array): string[] {
  const scan = scanJson(body);
  const tools = "exceeded" in scan ? undefined : findNamed(body, scan.members, "tools");
  if (tools === undefined) return [];
  const texts: string[] = [];
  addTexts(texts, JSON.parse(decodeUtf8(body.subarray(tools.valueStart, tools.valueEnd)) ?? "null"));
  return texts;
}

/** The depth of a body is bounded. */
function addTexts(texts: string[], value: unknown): void {
  if (typeof value === "string") texts.push(value);
  else if (Array.isArray(value)) for (const each of value) addTexts(texts, each);
  else if (isJsonObject(value)) {
    for (const name in value) {
      texts.push(name);
      addTexts(texts, value[name]);
    }
  }
}
