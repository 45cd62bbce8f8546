import type { Model } from "../../../ports/model.ts";
import { type Parsed, RequestContent, type WithBody } from "../../../request/request-stages.ts";
import type { CatalogueServices } from "../../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../../runtime/awaitable.ts";
import { chatText, findingsOf, scanBody, schemaError } from "../../../steps/parse-request.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import { parseExactJson } from "../../../wire/exact-json.ts";
import { RequestText } from "../../../wire/forwarding/forward.ts";
import type { Inspection } from "../../../wire/forwarding/inspect-request.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { toChatParameters, toChatRequest } from "./chat-parameters.ts";
import { messagesLevel } from "./message-names.ts";
import { messagesHeaders } from "./messages-headers.ts";
import { MessagesNativeRequest } from "./messages-native-request.ts";
import { MessagesPrompt } from "./messages-prompt.ts";
import { type MessagesRequest, readMessagesRequest } from "./messages-schema.ts";
import { asksToThink, toReasoningEffort } from "./reasoning-effort.ts";
import { requirePriced, whyUntranslatable } from "./untranslatable.ts";

/**
 * Check 5 of a Messages request: valid JSON that matches the schema. `counts` is true for a request that only counts
 * tokens. The chat completion for targets that do not speak the dialect is made when one of them is called.
 */
export function parseMessages({ models }: CatalogueServices, withBody: WithBody, counts = false): Awaitable<Parsed> {
  const { body, ...admitted } = withBody;
  const headers = messagesHeaders(admitted.request);
  return mapAwaitable(scanBody(body, messagesLevel), ({ value, inspection }) => {
    const read = readMessagesRequest(value, counts);
    if ("problem" in read) throw schemaError(read.problem);
    return { ...admitted, content: contentOf(read.request, models.current(), { ...withBody, inspection, headers }) };
  });
}

interface Received extends WithBody {
  readonly inspection: Inspection;
  readonly headers: Readonly<Record<string, string>>;
}

function contentOf(request: MessagesRequest, models: ReadonlyMap<string, Model>, received: Received): RequestContent {
  const { body, inspection, headers } = received;
  const model = models.get(request.model);
  requirePriced(request, model);
  const chat = toChatParameters(request, effortOf(request, model, received));
  const exact = exactly(body, request);
  return new RequestContent({
    dialect: "messages",
    chat,
    prompt: new MessagesPrompt(request),
    text: () => chatText(toChatRequest(exact(), chat.reasoning_effort ?? undefined)),
    bytes: body.length,
    inspected: findingsOf(inspection),
    names: clientNames,
    native: new MessagesNativeRequest({
      request,
      text: new RequestText(body, inspection, undefined),
      headers,
      untranslatable: whyUntranslatable(request),
      mayThink: model?.reasoning !== undefined,
      ttl: inspection.ttl,
      exact,
    }),
  });
}

/** A key without the feature can still ask a model not to think, but not set its effort. */
function effortOf(request: MessagesRequest, model: Model | undefined, { key, plan }: WithBody): string | undefined {
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

/** Returns the request with the digits of the numbers in its messages, tools and schemas. It is parsed on first access. */
function exactly(body: Uint8Array, request: MessagesRequest): () => MessagesRequest {
  let exact: MessagesRequest | undefined;
  return () => {
    exact ??= readExactly(body, request);
    return exact;
  };
}

function readExactly(body: Uint8Array, request: MessagesRequest): MessagesRequest {
  const { max_tokens, temperature, top_p, top_k, thinking } = request;
  const value = parseExactJson(decodeUtf8(body) ?? "");
  // The schema wants plain numbers for the settings.
  const settings = { max_tokens, temperature, top_p, top_k, thinking };
  const read = isJsonObject(value) ? readMessagesRequest({ ...value, ...settings }, true) : { problem: undefined };
  return "request" in read ? read.request : request;
}
