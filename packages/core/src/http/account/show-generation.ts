import { GatewayError } from "../../errors/gateway-error.ts";
import { noTokens } from "../../events/usage-totals.ts";
import { formatAmount } from "../../options/decimal.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import type { Entry, EntryQuery } from "../../ports/ledger-entry.ts";
import type { Receipt } from "../../ports/receipt.ts";
import type { UsageFilter, UsageRow } from "../../ports/usage-store.ts";
import type { Admission } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { requestUrl } from "../request-url.ts";
import { numberOf, shownTokens } from "./shown-values.ts";

/**
 * GET /generation?id=: the receipt of one request of the account, by the id of its answer or by its request id, or of a charge
 * of the host by its id, in the form of OpenRouter's API in `data`, and exactly in `receipt`. Of several, it is the newest. It
 * tells nothing of the host's upstreams.
 * Follows https://openrouter.ai/docs/api/api-reference/generations/get-generation
 */
export async function showGeneration(services: Services, { exchange, caller }: Admission): Promise<GatewayResponse> {
  const id = readId(requestUrl(exchange.request).searchParams.get("id"));
  const { account } = caller.key;
  const found =
    services.usage?.find(account, id) ??
    (await findRow(services, account, id)) ??
    (await findCharge(services, account, id));
  if (found === undefined) throw notFound();
  return jsonResponse(200, exchange.headers, { data: asOpenRouter(id, found), receipt: receiptOf(found) });
}

const idForm = /^[!-~]{1,512}$/;

function readId(id: string | null): string {
  if (id !== null && idForm.test(id)) return id;
  throw new GatewayError(
    "invalid_request",
    `\`id\` must have 1 to 512 visible ASCII characters. Send the id of an answer, or the \`x-request-id\` of its response.`,
    { param: "id" },
  );
}

const notFound = (): GatewayError =>
  new GatewayError(
    "generation_not_found",
    "This account has no request and no charge with this id. A new one is found within a second. Send the id of an answer, the `x-request-id` of its response, or the id of a charge.",
  );

type Known = "requestId" | "ending" | "at" | "durationMs" | "tokens" | "cost";
type Optional = Exclude<keyof UsageRow, Known>;

/** What a usage row and a charge both tell of a request, or a charge of something else that the host sells. */
type Generation = Pick<UsageRow, Known> & { readonly [Name in Optional]?: UsageRow[Name] | undefined } & Partial<
    Pick<Receipt, "description" | "metadata">
  >;

/** Finds the newest row of an account with this id of an answer or a request. Undefined if the gateway records no usage. */
async function findRow(
  { usage, storeTimeoutMs }: Services,
  account: string,
  id: string,
): Promise<UsageRow | undefined> {
  if (usage === undefined) return undefined;
  const newest = async (filter: UsageFilter): Promise<UsageRow | undefined> => {
    const page = await callStoreWithTimeout(
      storeTimeoutMs,
      () => usage.store.list({ filter: { account, ...filter }, limit: 1 }),
      (found) => Array.isArray(found?.rows),
    );
    return page.rows[0];
  };
  const [answer, request] = await Promise.all([newest({ answerId: id }), newest({ requestId: id })]);
  return request === undefined || (answer !== undefined && answer.at > request.at) ? answer : request;
}

/** The request ids that the gateway makes. What follows is the id of the hold of the request. */
const ownRequestId = /^req_([\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12})$/;

/** The ids of the charges of the host, which are those of their holds. */
const holdId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The most entries that one hold has, with room for more. */
const entriesOfHold = 10;

/** Finds a charge by the id of the answer, by a request id that the client did not choose, or by the id of a charge of the host. */
async function findCharge(services: Services, account: string, id: string): Promise<Generation | undefined> {
  const entries = async (query: Omit<EntryQuery, "account">): Promise<readonly Entry[]> => {
    const page = await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => services.balances.entries({ account, newestFirst: true, ...query }),
      (found) => Array.isArray(found?.entries),
    );
    return page.entries;
  };
  const requestId = ownRequestId.exec(id)?.[1];
  const [newest] = requestId === undefined ? await entries({ answerId: id, limit: 1 }) : [];
  const reference = requestId ?? newest?.reference ?? holdId.exec(id)?.[0];
  return reference === undefined ? undefined : chargeOf(await entries({ reference, limit: entriesOfHold }));
}

/** Returns the charge of a hold by its entries: of one that expired and was settled late, there are two. */
function chargeOf(entries: readonly Entry[]): Generation | undefined {
  const charges = entries.filter(({ kind }) => kind === "charge" || kind === "expiry" || kind === "late");
  const last = charges.find(({ receipt }) => receipt?.charge !== undefined) ?? charges[0];
  if (last?.receipt === undefined) return undefined;
  const { charge, ...held } = last.receipt;
  const durationMs = charge?.durationMs ?? 0;
  return {
    ...held,
    at: new Date(last.at.getTime() - durationMs),
    durationMs,
    ending: charge?.status ?? (charges.every(({ kind }) => kind === "expiry") ? "hold_expired" : "complete"),
    tokens: charge?.tokens ?? noTokens,
    estimated: held.model !== undefined && charge?.basis !== "reported",
    cost: charges.reduce((sum, { amount }) => sum - amount, 0n),
    ...(charge?.answerId === undefined ? {} : { answerId: charge.answerId }),
  };
}

/** Members that this gateway has no value for are null, as OpenRouter's are. */
function asOpenRouter(id: string, found: Generation) {
  const { tokens, durationMs, firstContentMs } = found;
  const cost = numberOf(found.cost);
  return {
    id,
    request_id: found.requestId,
    created_at: found.at.toISOString(),
    model: found.model ?? "",
    api_type: found.dialect === "embeddings" ? "embeddings" : "completions",
    streamed: firstContentMs !== undefined,
    cancelled: found.ending === "client_gone",
    total_cost: cost,
    usage: cost,
    tokens_prompt: tokens.input,
    tokens_completion: tokens.output,
    native_tokens_prompt: tokens.input,
    native_tokens_completion: tokens.output,
    native_tokens_reasoning: tokens.reasoning,
    native_tokens_cached: tokens.cachedInput,
    latency: firstContentMs ?? durationMs,
    generation_time: durationMs,
    external_user: found.endUser ?? null,
    is_byok: false,
    origin: "",
    data_region: "global",
    ...Object.fromEntries(unknownMembers.map((name) => [name, null])),
  };
}

const unknownMembers = [
  ...["app_id", "cache_discount", "finish_reason", "http_referer", "moderation_latency", "native_finish_reason"],
  ...["native_tokens_completion_images", "num_fetches", "num_input_audio_prompt", "num_media_completion"],
  ...["num_media_prompt", "num_search_results", "preset_id", "provider_name", "provider_responses", "router"],
  ...["service_tier", "upstream_id", "upstream_inference_cost", "user_agent", "web_search_engine", "workspace_id"],
];

const receiptOf = (found: Generation) => ({
  request_id: found.requestId,
  answer_id: found.answerId ?? null,
  key: found.keyId ?? null,
  model: found.model ?? null,
  dialect: found.dialect ?? null,
  description: found.description ?? null,
  metadata: found.metadata ?? null,
  end_user: found.endUser ?? null,
  status: found.status ?? null,
  error_code: found.errorCode ?? null,
  ending: found.ending,
  created_at: found.at.toISOString(),
  first_content_ms: found.firstContentMs ?? null,
  duration_ms: found.durationMs,
  tokens: shownTokens(found.tokens),
  estimated: found.estimated ?? false,
  cost: formatAmount(found.cost),
});
