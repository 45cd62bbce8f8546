import { GatewayError } from "../../../errors/gateway-error.ts";
import type { ResponseConversation, ResponseItem, ResponseItems } from "../../../ports/response-store.ts";
import type { Admission } from "../../../request/paid-call.ts";
import type { ResponseStorage, Services } from "../../../request/services.ts";
import type { Awaitable } from "../../../runtime/awaitable.ts";
import { startNow } from "../../../runtime/take-turns.ts";
import { countBytes, loadStored } from "../../../steps/load-stored.ts";
import { withinLimits } from "../../../steps/parse-request.ts";
import { byteLength, encodeUtf8 } from "../../../wire/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../wire/json.ts";
import { budgetOf, limitOf, skipValue } from "../../../wire/json-skip.ts";
import { parseInSteps, valuesAtOnce } from "../../../wire/parse-in-steps.ts";
import { isReference, itemsOf, type ResponsesRequest } from "./request-schema.ts";
import { saveAnswer } from "./save-answer.ts";

/** A request that needs nothing from the store any more, and where its answer goes. */
export interface ResolvedState {
  /** The request. Its input has every item of the conversation, and no references. */
  readonly request: ResponsesRequest;
  /** What the response says about `store`. */
  readonly store: boolean;
  /** The bytes of the stored items in the input, as JSON. */
  readonly storedBytes: number;
  /** See `NativeRequest.onAnswer`. Undefined if the response is not stored. */
  readonly onAnswer: ((json: string) => Awaitable<string>) | undefined;
}

/**
 * Reads what a request refers to from the store of responses, for the account of its key. Throws 400 for a reference that
 * cannot be resolved. Without a store every reference is one, and responses are answered with `store: false`.
 */
export async function resolveState(
  services: Services,
  admission: Admission,
  bodyBytes: number,
  request: ResponsesRequest,
): Promise<ResolvedState> {
  const { responses } = services;
  if (responses === undefined) return withoutStore(request);
  const { account } = admission.caller.key;
  const from = { services, storage: responses, admission };
  // With its items a request is no larger than a body may be, so that it always fits into the budget of its key.
  const maxBytes = services.maxBodyBytes - bodyBytes;
  const earlier = await readConversation(from, maxBytes, request);
  const own = await resolveInput(from, maxBytes - earlier.bytes, request.input);
  const store = request.store !== false;
  const input = earlier.items.length === 0 ? own.input : [...earlier.items, ...itemsOf(own.input)];
  return {
    request: input === request.input ? request : { ...request, input },
    store,
    storedBytes: earlier.bytes + own.bytes,
    onAnswer: store ? saveAnswer(services, responses, account, request, itemsOf(own.input)) : undefined,
  };
}

/** The state of a request where responses are not stored. Throws 400 for a reference. */
export function withoutStore(request: ResponsesRequest): ResolvedState {
  if (request.previous_response_id != null) throw unresolvable("previous_response_id");
  const at = Array.isArray(request.input) ? request.input.findIndex(isReference) : -1;
  if (at >= 0) throw unresolvable(`input.${at}`);
  return { request, store: false, storedBytes: 0, onAnswer: undefined };
}

/** Where stored items come from, and the request that they are loaded for. */
interface Source {
  readonly services: Services;
  readonly storage: ResponseStorage;
  readonly admission: Admission;
}

const hasOutcome = (result: { readonly outcome: string }): boolean => result?.outcome !== undefined;

async function readConversation(
  { services, storage, admission }: Source,
  maxBytes: number,
  { previous_response_id: id }: ResponsesRequest,
) {
  if (id == null) return { items: [], bytes: 0 };
  const ref = { id, account: admission.caller.key.account };
  const load = (loadBytes: number) => storage.store.conversation(ref, { maxBytes, loadBytes });
  const result = await loadStored<ResponseConversation>(services, admission, load, hasOutcome);
  if (result.outcome === "unknown") throw previousNotFound();
  if (result.outcome !== "found") throw tooLong("previous_response_id");
  const bytes = result.items.reduce((sum, { json }) => sum + byteLength(json), 0);
  return { items: await parseStoredItems(result.items, "previous_response_id"), bytes };
}

/**
 * Replaces references by the items, of which `bytes` is the size. Repeated references count each time, so that few bytes
 * cannot become many.
 */
async function resolveInput(
  { services, storage, admission }: Source,
  maxBytes: number,
  input: ResponsesRequest["input"],
) {
  if (!Array.isArray(input)) return { input, bytes: 0 };
  const sent: readonly JsonObject[] = input;
  const ids = sent.flatMap((item) => (isReference(item) ? [item.id] : []));
  if (ids.length === 0) return { input, bytes: 0 };
  const { account } = admission.caller.key;
  const load = (loadBytes: number) => storage.store.items(account, [...new Set(ids)], { maxBytes, loadBytes });
  const result = await loadStored<ResponseItems>(services, admission, load, hasOutcome);
  if (result.outcome !== "found") throw tooLong("input");
  const { items } = result;
  const sizes = new Map(items.map(({ id, json }) => [id, byteLength(json)]));
  const loaded = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const bytes = ids.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  if (bytes > maxBytes) throw tooLong("input");
  await countBytes(services, admission, Math.max(0, bytes - loaded));
  const parsed = await parseStoredItems(items, "input");
  const byId = new Map(items.map(({ id }, at) => [id, parsed[at]]));
  return { input: sent.map((item, at) => (isReference(item) ? resolved(byId, item.id, at) : item)), bytes };
}

function resolved(byId: ReadonlyMap<string, JsonObject | undefined>, id: string, at: number): JsonObject {
  const item = byId.get(id);
  if (item === undefined) throw itemNotFound(`input.${at}`);
  return item;
}

const previousNotFound = (): GatewayError =>
  new GatewayError(
    "invalid_request",
    "`previous_response_id` is not a stored response of this account, or one that it continues was deleted or has expired. Send the items of the conversation in `input`.",
    { param: "previous_response_id" },
  );

const itemNotFound = (param: string): GatewayError =>
  new GatewayError(
    "invalid_request",
    `\`${param}\` refers to an item that is not in a stored response of this account. Send the item itself.`,
    { param },
  );

const tooLong = (param: string): GatewayError =>
  new GatewayError(
    "invalid_request",
    `The stored items that \`${param}\` refers to are larger than a request may be. Begin a new conversation with fewer items.`,
    { param },
  );

const unresolvable = (param: string): GatewayError =>
  new GatewayError(
    "unsupported_parameter",
    `\`${param}\` refers to a stored response, and responses are not stored here. Send the items of the conversation in \`input\`, with \`store: false\`.`,
    { param },
  );

/** Items of so many bytes together are parsed in one step. */
const bytesInStep = 65_536;

/**
 * Parses stored items, long ones in steps, within the limits of a body for all of them, since a conversation has the items of
 * many bodies. `param` refers to them in errors.
 */
export const parseStoredItems = (items: readonly ResponseItem[], param: string): Awaitable<readonly JsonObject[]> =>
  startNow(parseAll(items, param));

function* parseAll(items: readonly ResponseItem[], param: string): Generator<undefined, JsonObject[]> {
  const budget = budgetOf({});
  const parsed: JsonObject[] = [];
  let [bytes, values] = [0, budget.values];
  for (const { json } of items) {
    bytes += json.length;
    const before = budget.values;
    const exceeded = limitOf(skipValue(encodeUtf8(json), 0, budget));
    if (exceeded !== undefined) withinLimits({ exceeded }, { name: "The stored conversation", param });
    const isLong = before - budget.values > valuesAtOnce;
    if (isLong || bytes > bytesInStep || values - budget.values > valuesAtOnce) {
      yield;
      [bytes, values] = [0, budget.values];
    }
    parsed.push(toInput(isLong ? yield* parseInSteps(json) : JSON.parse(json)));
  }
  return parsed;
}

const toInput = (item: Json): JsonObject => (isJsonObject(item) ? item : {});
