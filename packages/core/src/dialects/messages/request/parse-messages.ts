import { GatewayError } from "../../../errors/gateway-error.ts";
import type { ClientRequest } from "../../../ports/client-request.ts";
import type { Model } from "../../../ports/model.ts";
import { Call } from "../../../request/call.ts";
import type { Admission, Caller } from "../../../request/paid-call.ts";
import type { Services } from "../../../request/services.ts";
import { once } from "../../../runtime/once.ts";
import { findingsOf, inspectBody, parseInspected } from "../../../steps/parse-request.ts";
import { findModel } from "../../../steps/pay.ts";
import { asksToHideReasoning } from "../../../wire/asks-to-hide.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import { RequestText } from "../../../wire/forwarding/request-text.ts";
import { TranslatedText } from "../../../wire/forwarding/translated-text.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { parseLosslessJson } from "../../../wire/lossless-json.ts";
import { forwardedBetas } from "./betas.ts";
import { requirePriced } from "./defined-tools.ts";
import { MessagesNativeRequest } from "./messages-native-request.ts";
import { type MessagesRequest, type MessagesSettings, messagesShape, readMessagesRequest } from "./messages-schema.ts";
import { type ReadMessages, readParsedMessages, readUnparsedMessages } from "./read-messages.ts";
import { asksToThink, toReasoningEffort } from "./reasoning-effort.ts";
import { toChatParameters, toChatRequest } from "./to-chat.ts";

/**
 * Parses a Messages request. `counts` is true for one that only counts tokens. The chat completion for targets that do not
 * speak the dialect is made when one of them is called. Throws 400 for invalid JSON, and for what does not match the schema.
 */
export async function parseMessages(
  services: Services,
  { exchange, caller, slot }: Admission,
  body: Uint8Array,
  counts = false,
): Promise<Call> {
  const { allowedBetas } = services;
  const headers = messagesHeaders(exchange.request, allowedBetas);
  const inspection = inspectBody(body, messagesShape);
  const read =
    readUnparsedMessages(body, inspection, counts) ??
    readParsedMessages(await parseInspected(body, inspection), counts);
  const { settings, prompt, untranslatable, isSigned } = read;
  const model = findModel(services, settings.model);
  requirePriced(settings, model);
  const chat = toChatParameters(settings, effortOf(settings, model, caller));
  const text = new RequestText(body, inspection, undefined);
  const exact = once(() => readLossless(body, read));
  return new Call({
    dialect: "messages",
    chat,
    prompt,
    body: text,
    translate: () => new TranslatedText(toChatRequest(exact(), chat.reasoning_effort ?? undefined)),
    bytes: body.length,
    inspected: findingsOf(inspection),
    hasHiddenReasoning: asksToHideReasoning(settings),
    names: clientNames,
    share: slot.body,
    native: new MessagesNativeRequest({
      settings,
      text,
      headers,
      query: messagesQuery(exchange.request),
      untranslatable,
      isSigned,
      mayThink: model?.reasoning !== undefined,
      mayCompact: allowedBetas.has("compact"),
      ttl: inspection.ttl,
      exact,
    }),
  });
}

/** A key without the feature can still ask a model not to think, but not set its effort. */
function effortOf(request: MessagesSettings, model: Model | undefined, { key, plan }: Caller): string | undefined {
  const hasFeature = (key.features ?? [feature]).includes(feature) && plan.allowsFeature(feature);
  return hasFeature || asksToThink(request) ? toReasoningEffort(request, model?.reasoning) : undefined;
}

const feature = "reasoning_effort";

/** What clients of this dialect call the parameters of a chat completion. */
const clientNames: Readonly<Record<string, string>> = {
  image_url: "image",
  reasoning_effort: "thinking",
  response_format: "output_config.format",
  stop: "stop_sequences",
};

/** Returns the request with the digits of the numbers in its messages, tools and schemas. */
function readLossless(body: Uint8Array, { settings, whole }: ReadMessages): MessagesRequest {
  const { max_tokens, temperature, top_p, top_k, thinking } = settings;
  const value = parseLosslessJson(decodeUtf8(body) ?? "");
  // The schema wants plain numbers for the settings.
  const plain = { max_tokens, temperature, top_p, top_k, thinking };
  const read = isJsonObject(value) ? readMessagesRequest({ ...value, ...plain }, true) : { problem: undefined };
  return "request" in read ? read.request : whole();
}

const version = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the headers that targets of this dialect receive. Throws 400 for an `anthropic-version` that is not a date.
 * Follows https://platform.claude.com/docs/en/api/versioning
 */
function messagesHeaders(
  request: Pick<ClientRequest, "header">,
  allowedBetas: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const requested = request.header("anthropic-version");
  const betas = forwardedBetas(request.header("anthropic-beta"), allowedBetas);
  if (requested !== undefined && !version.test(requested)) {
    throw new GatewayError(
      "invalid_request",
      "The header `anthropic-version` must be a date, such as `2023-06-01`. Send one of Anthropic's versions.",
    );
  }
  return {
    ...(requested === undefined ? {} : { "anthropic-version": requested }),
    ...(betas === undefined ? {} : { "anthropic-beta": betas }),
  };
}

/** Returns the query that targets of this dialect receive: `beta=true`, with which Anthropic's clients send betas. */
const messagesQuery = ({ url }: Pick<ClientRequest, "url">): Readonly<Record<string, string>> =>
  /[?&]beta=true(?:[&#]|$)/.test(url) ? { beta: "true" } : {};
