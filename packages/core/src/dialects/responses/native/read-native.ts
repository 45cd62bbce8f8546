import type { NativeJson, ReadAnswer } from "../../../answering/model-api.ts";
import { ProviderError } from "../../../errors/provider-error.ts";
import type { Output } from "../../../money/token-counter.ts";
import type { ModelTarget } from "../../../ports/model.ts";
import { AccountSigner } from "../../../request/account-signer.ts";
import type { PaidCall } from "../../../request/paid-call.ts";
import { guardOf } from "../../../upstream/answer-guard.ts";
import { contextOf } from "../../../upstream/failure.ts";
import { readReportedError } from "../../../upstream/frame-reports.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import { clientIds } from "../../../wire/end-user.ts";
import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";
import { parseLosslessJson, writeLosslessJson } from "../../../wire/lossless-json.ts";
import { isComplete, type PartialUsage, readAnyUsage, type Usage } from "../../../wire/usage.ts";
import { NativeOutput } from "../../answers.ts";
import { responseMembers } from "../../known-members.ts";
import { ResponseIds } from "../answer/output-items.ts";
import { toResponseUsage } from "../answer/response-object.ts";
import { ResponsesNativeRequest, sealItem } from "../request/native-request.ts";

/** Reads the response of an upstream that speaks the Responses API. Throws a ProviderError if it is an error, or not one. */
export function readNative(paid: PaidCall, target: ModelTarget, answer: NativeJson): ReadAnswer {
  const { provider } = target;
  const context = contextOf(target, paid.model.id, answer);
  const value = parse(answer.body);
  const error = readReportedError(value, () => context);
  if (error !== undefined) throw error;
  if (!isJsonObject(value) || value["object"] !== "response" || !Array.isArray(value["output"])) {
    throw invalid(provider.name, "something that is not a response");
  }
  const { status } = value;
  if (status !== "completed" && status !== "incomplete") throw invalid(provider.name, "a response that has not ended");
  const response = new PublicAnswer(paid, target).response(value);
  const guard = guardOf(responseMembers, paid, target, context);
  const shown = guard.suspects(writeLosslessJson(response)) ? guard.clean(response) : response;
  return new NativeResponse(shown, value, paid.model.imageTokens);
}

const invalid = (provider: string, received: string): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${received}. Check that the base URL is that of an API with POST /responses.`,
  );

function parse(body: Uint8Array): unknown {
  try {
    return parseLosslessJson(decodeUtf8(body) ?? "");
  } catch {
    return undefined;
  }
}

class NativeResponse implements ReadAnswer {
  readonly usage: Usage | undefined;
  readonly output: Output;
  readonly json: string;
  readonly #response: JsonObject;

  constructor(response: JsonObject, upstream: JsonObject, imageTokens: number) {
    const reported = readResponseUsage(upstream["usage"]);
    this.#response = response;
    this.usage = isComplete(reported) ? reported : undefined;
    this.output = new NativeOutput(upstream["output"], reported, imageTokens, "\n");
    this.json = writeLosslessJson(response);
  }

  get answerId(): string | undefined {
    return responseId(this.#response);
  }

  get finishReasons(): readonly string[] {
    return responseReasons(this.#response);
  }

  withUsage(charged: Usage): string {
    return writeLosslessJson({ ...this.#response, usage: toResponseUsage(charged) });
  }
}

/** Returns the id of a response. */
export const responseId = (response: JsonObject | undefined): string | undefined =>
  isText(response?.["id"]) ? response["id"] : undefined;

/** Returns why a response ended: the reason for which it is incomplete, such as "max_output_tokens", or its status. */
export function responseReasons(response: JsonObject | undefined): readonly string[] {
  const details = response?.["incomplete_details"];
  const reason = isJsonObject(details) ? details["reason"] : undefined;
  return [reason, response?.["status"]].filter(isText).slice(0, 1);
}

/** Reads the usage of a response: whole if it has both counts, and else partial or undefined. */
export function readResponseUsage(value: unknown): Usage | PartialUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { input_tokens, input_tokens_details, output_tokens, output_tokens_details, total_tokens } = value;
  const usage = {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens,
    ...(isJsonObject(input_tokens_details) ? { prompt_tokens_details: input_tokens_details } : {}),
    ...(isJsonObject(output_tokens_details) ? { completion_tokens_details: output_tokens_details } : {}),
  };
  return readAnyUsage(usage);
}

/** Puts what the gateway says in place of what an upstream says, in its responses and its events. */
export class PublicAnswer {
  readonly #members: JsonObject;
  readonly #id: string;
  readonly #provider: ModelTarget["provider"];
  readonly #signer: AccountSigner;

  constructor(
    { exchange, model, call }: Pick<PaidCall, "exchange" | "model" | "call">,
    { provider }: Pick<ModelTarget, "provider">,
  ) {
    // A request that was released has none.
    const parts = call.native instanceof ResponsesNativeRequest ? call.native.parts : undefined;
    const sent: JsonObject = parts?.sent ?? {};
    // An upstream may repeat its ids, so that a stored response could be continued by another end user.
    this.#id = new ResponseIds(exchange.id).response;
    this.#members = {
      id: this.#id,
      model: model.id,
      store: parts?.state.store ?? false,
      previous_response_id: sent["previous_response_id"] ?? null,
      ...Object.fromEntries(clientIds.filter((name) => isText(sent[name])).map((name) => [name, sent[name]])),
    };
    this.#provider = provider;
    this.#signer = parts?.signer ?? new AccountSigner([], "");
  }

  /** Returns a response as the client gets it: under the gateway's id and the public model id, with sealed reasoning, and without the upstream's billing. */
  response({ billing: _, ...response }: JsonObject): JsonObject {
    const { output } = response;
    const sealed = Array.isArray(output) ? { output: output.map((item) => this.#seal(item)) } : {};
    return { ...response, ...this.#members, ...sealed };
  }

  /** Returns an event as the client gets it, or undefined if it needs no change. */
  event(event: JsonObject): JsonObject | undefined {
    const { response, response_id: id, item } = event;
    const own = isText(id) ? { ...event, response_id: this.#id } : event;
    if (isJsonObject(response)) return { ...own, response: this.response(response) };
    const sealed = this.#seal(item);
    if (sealed !== item) return { ...own, item: sealed };
    return own === event ? undefined : own;
  }

  #seal(item: unknown): unknown {
    return sealItem(item, this.#provider, this.#signer);
  }
}
