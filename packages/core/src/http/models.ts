import type { KeyRules } from "../answering/model-api.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { jsonResponse } from "../ports/gateway-response.ts";
import type { Caller } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { admit, bearerOrApiKey, requireFunds } from "../steps/admit.ts";
import { findModel, modelNotFound } from "../steps/pay.ts";
import type { JsonObject } from "../wire/json.ts";
import type { EndpointHandler } from "./mount.ts";
import { decodePathId, requestUrl } from "./request-url.ts";

/** True for a request of a client of Anthropic's API, which expects its form of models and errors. */
export const isAnthropicClient = (request: Pick<ClientRequest, "header">): boolean =>
  request.header("anthropic-version") !== undefined;

/** Returns the form of Anthropic's API for its clients, and that of OpenAI's for all others. */
export const modelFormOf: ModelFormOf = (request) => (isAnthropicClient(request) ? anthropicModels : openaiModels);

/**
 * Returns a model in the form of Anthropic's API.
 * Follows https://platform.claude.com/docs/en/api/models/retrieve
 */
export function anthropicModel({ id, display_name: name, created }: JsonObject) {
  const createdAt = new Date(Number(created) * 1_000).toISOString().replace(".000Z", "Z");
  return { type: "model", id: String(id), display_name: String(name ?? id), created_at: createdAt };
}

const anthropicModels: ModelForm = { keyHeaders: bearerOrApiKey, list: anthropicPage, show: anthropicModel };

const defaultLimit = 20;
const maxPerPage = 1_000;

/**
 * Returns the page of models that a request asks for by `after_id`, `before_id` and `limit`. Throws 400 for an invalid one.
 * Follows https://platform.claude.com/docs/en/api/models/list
 */
export function anthropicPage(entries: readonly JsonObject[], request: Pick<ClientRequest, "url">) {
  const query = requestUrl(request).searchParams;
  const limit = limitOf(query.get("limit"));
  const after = placeOf(entries, "after_id", query);
  const before = placeOf(entries, "before_id", query);
  const from = after === undefined ? Math.max(0, (before ?? limit) - limit) : after + 1;
  const page = entries.slice(from, Math.min(from + limit, before ?? entries.length));
  const hasMore = before === undefined || after !== undefined ? from + page.length < entries.length : from > 0;
  const data = page.map(anthropicModel);
  return { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maxPerPage) return limit;
  throw new GatewayError("invalid_request", `\`limit\` must be a whole number from 1 to ${maxPerPage}.`, {
    param: "limit",
  });
}

function placeOf(
  entries: readonly JsonObject[],
  name: "after_id" | "before_id",
  query: URLSearchParams,
): number | undefined {
  const id = query.get(name);
  if (id === null || id === "") return undefined;
  const index = entries.findIndex((entry) => entry["id"] === id);
  if (index >= 0) return index;
  throw new GatewayError("invalid_request", `\`${name}\` must be the id of a model in the list.`, { param: name });
}

/** The form in which a client gets models, and where it sends its key. */
interface ModelForm extends Pick<KeyRules, "keyHeaders"> {
  /** Returns the body of GET /models. Throws 400 for an invalid query. */
  list(entries: readonly JsonObject[], request: Pick<ClientRequest, "url">): object;
  /** Returns the body of GET /models/{id}. */
  show(entry: JsonObject): object;
}

/** Returns the form that the client of a request expects. */
type ModelFormOf = (request: ClientRequest) => ModelForm;

/** The form of OpenAI's API. Follows https://platform.openai.com/docs/api-reference/models */
const openaiModels: ModelForm = {
  list: (data) => ({ object: "list", data }),
  show: (entry) => entry,
};

/** GET /models: lists the models that the key may use, in the configured order and in the form of the client. */
export const listModels: EndpointHandler<Services> = async (services, exchange) => {
  const { request, headers } = exchange;
  const form = modelFormOf(request);
  const { caller, slot } = await admit(services, exchange, form);
  try {
    await requireFunds(services, caller);
    return jsonResponse(200, headers, form.list(visibleModels(services, caller), request));
  } finally {
    slot.release();
  }
};

function visibleModels(services: Services, { key, plan }: Caller): JsonObject[] {
  const models = [...services.models.current().values()];
  return models.filter(({ id }) => plan.allowsModel(key, id)).map(({ entry }) => entry);
}

/** GET /models/{id}: returns one model as in GET /models. Its id may contain slashes, percent-encoded or not. */
export const showModel: EndpointHandler<Services> = async (services, exchange, encodedId) => {
  const form = modelFormOf(exchange.request);
  const { caller, slot } = await admit(services, exchange, form);
  try {
    await requireFunds(services, caller);
    const id = decodePathId(encodedId);
    const model = findModel(services, id);
    if (model === undefined || !caller.plan.allowsModel(caller.key, model.id)) throw modelNotFound(id);
    return jsonResponse(200, exchange.headers, form.show(model.entry));
  } finally {
    slot.release();
  }
};
