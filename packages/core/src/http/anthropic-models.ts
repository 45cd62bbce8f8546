import type { KeyRules } from "../answering/model-api.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { bearerOrApiKey } from "../steps/api-key-header.ts";
import type { JsonObject } from "../wire/json.ts";
import { requestUrl } from "./request-url.ts";

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
