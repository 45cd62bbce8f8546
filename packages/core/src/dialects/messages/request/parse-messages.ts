import type { Model } from "../../../ports/model.ts";
import { type Parsed, RequestContent, type WithBody } from "../../../request/request-stages.ts";
import type { CatalogueServices, DialectServices } from "../../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../../runtime/awaitable.ts";
import { once } from "../../../runtime/once.ts";
import { chatText, findingsOf, inspectBody, parseInspected } from "../../../steps/parse-request.ts";
import { findModel } from "../../../steps/prepare-and-hold.ts";
import { asksToHideReasoning } from "../../../wire/asks-to-hide.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import { parseExactJson } from "../../../wire/exact-json.ts";
import { RequestText } from "../../../wire/forwarding/forward-request.ts";
import type { Inspection } from "../../../wire/forwarding/inspect-request.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { toChatParameters, toChatRequest } from "./chat-parameters.ts";
import { messagesLevel } from "./message-names.ts";
import { messagesHeaders, messagesQuery } from "./messages-headers.ts";
import { MessagesNativeRequest } from "./messages-native-request.ts";
import { type MessagesRequest, type MessagesSettings, readMessagesRequest } from "./messages-schema.ts";
import { type ReadMessages, readParsedMessages, readUnparsedMessages } from "./read-messages.ts";
import { asksToThink, toReasoningEffort } from "./reasoning-effort.ts";
import { requirePriced } from "./untranslatable.ts";

/**
 * Check 5 of a Messages request: valid JSON that matches the schema. `counts` is true for a request that only counts
 * tokens. The chat completion for targets that do not speak the dialect is made when one of them is called.
 */
export function parseMessages(
  services: CatalogueServices & Pick<DialectServices, "allowedBetas">,
  withBody: WithBody,
  counts = false,
): Awaitable<Parsed> {
  const { body, ...admitted } = withBody;
  const { allowedBetas } = services;
  const headers = messagesHeaders(admitted.request, allowedBetas);
  const inspection = inspectBody(body, messagesLevel);
  const toParsed = (read: ReadMessages): Parsed => ({
    ...admitted,
    content: contentOf(read, services, { ...withBody, inspection, headers, allowedBetas }),
  });
  const unparsed = readUnparsedMessages(body, inspection, counts);
  if (unparsed !== undefined) return toParsed(unparsed);
  return mapAwaitable(parseInspected(body, inspection), (value) => toParsed(readParsedMessages(value, counts)));
}

interface Received extends WithBody {
  readonly inspection: Inspection;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowedBetas: ReadonlySet<string>;
}

function contentOf(read: ReadMessages, services: CatalogueServices, received: Received): RequestContent {
  const { body, inspection, headers } = received;
  const { settings, prompt, untranslatable, isSigned } = read;
  const model = findModel(services, settings.model);
  requirePriced(settings, model);
  const chat = toChatParameters(settings, effortOf(settings, model, received));
  const exact = once(() => readExactly(body, read));
  return new RequestContent({
    dialect: "messages",
    chat,
    prompt,
    text: () => chatText(toChatRequest(exact(), chat.reasoning_effort ?? undefined)),
    bytes: body.length,
    inspected: findingsOf(inspection),
    hidesReasoning: asksToHideReasoning(settings),
    names: clientNames,
    native: new MessagesNativeRequest({
      settings,
      text: new RequestText(body, inspection, undefined),
      headers,
      query: messagesQuery(received.request),
      untranslatable,
      isSigned,
      mayThink: model?.reasoning !== undefined,
      mayCompact: received.allowedBetas.has("compact"),
      ttl: inspection.ttl,
      exact,
    }),
  });
}

/** A key without the feature can still ask a model not to think, but not set its effort. */
function effortOf(request: MessagesSettings, model: Model | undefined, { key, plan }: WithBody): string | undefined {
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
function readExactly(body: Uint8Array, { settings, whole }: ReadMessages): MessagesRequest {
  const { max_tokens, temperature, top_p, top_k, thinking } = settings;
  const value = parseExactJson(decodeUtf8(body) ?? "");
  // The schema wants plain numbers for the settings.
  const plain = { max_tokens, temperature, top_p, top_k, thinking };
  const read = isJsonObject(value) ? readMessagesRequest({ ...value, ...plain }, true) : { problem: undefined };
  return "request" in read ? read.request : whole();
}
