import { GatewayError } from "../../../errors/gateway-error.ts";
import { callStoreWithTimeout } from "../../../ports/call-store-with-timeout.ts";
import type { ResponseItem } from "../../../ports/response-store.ts";
import type { ResponseStorage } from "../../../request/gateway-parts.ts";
import type { DialectServices } from "../../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../../runtime/awaitable.ts";
import { byteLength } from "../../../wire/bytes.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { type InputItem, isReference } from "./input-items.ts";
import type { ResponsesRequest } from "./request-schema.ts";
import { saveAnswer } from "./save-answer.ts";

/** A request that needs nothing from the store any more, and where its answer goes. */
export interface ResolvedState {
  /** The request. Its input has every item of the conversation, and no references. */
  readonly request: ResponsesRequest;
  /** What the response says about `store`. */
  readonly store: boolean;
  /** See `NativeRequest.onAnswer`. Undefined if the response is not stored. */
  readonly onAnswer: ((json: string) => Awaitable<string>) | undefined;
}

/**
 * Reads what a request refers to from the store of responses, for the account of its key. Throws 400 for a reference that
 * cannot be resolved. Without a store every reference is one, and responses are answered with `store: false`.
 */
export function resolveState(
  services: DialectServices,
  account: string,
  request: ResponsesRequest,
): Awaitable<ResolvedState> {
  const { responses } = services;
  if (responses === undefined) return withoutStore(request);
  return mapAwaitable(readConversation(services, responses, account, request), ({ items: earlier, bytes }) =>
    mapAwaitable(resolveInput(services, responses, account, request.input, bytes), (own) => {
      const store = request.store !== false;
      const continued = earlier.length === 0 ? own : [...earlier, ...itemsOf(own)];
      return {
        request: continued === request.input ? request : { ...request, input: continued },
        store,
        onAnswer: store ? saveAnswer(services, responses, account, request, itemsOf(own)) : undefined,
      };
    }),
  );
}

type Input = ResponsesRequest["input"];

function withoutStore(request: ResponsesRequest): ResolvedState {
  if (request.previous_response_id != null) throw unresolvable("previous_response_id");
  const at = Array.isArray(request.input) ? request.input.findIndex((item: InputItem) => isReference(item)) : -1;
  if (at >= 0) throw unresolvable(`input.${at}`);
  return { request, store: false, onAnswer: undefined };
}

interface Conversation {
  readonly items: InputItem[];
  readonly bytes: number;
}

function readConversation(
  { storeTimeoutMs, maxBodyBytes }: DialectServices,
  { store }: ResponseStorage,
  account: string,
  { previous_response_id: id }: ResponsesRequest,
): Awaitable<Conversation> {
  if (id == null) return { items: [], bytes: 0 };
  const found = callStoreWithTimeout(
    storeTimeoutMs,
    () => store.conversation({ id, account }, { maxBytes: maxBodyBytes }),
    (result) => result?.outcome !== undefined,
  );
  return mapAwaitable(found, (result) => {
    if (result.outcome === "found") return { items: result.items.map(toInput), bytes: sizeOf(result.items) };
    throw result.outcome === "too_long" ? tooLong("previous_response_id") : previousNotFound();
  });
}

/** Replaces references by the items. Repeated references count each time, so that few bytes cannot become many. */
function resolveInput(
  { storeTimeoutMs, maxBodyBytes }: DialectServices,
  { store }: ResponseStorage,
  account: string,
  input: Input,
  bytesBefore: number,
): Awaitable<Input> {
  if (!Array.isArray(input)) return input;
  const given: readonly InputItem[] = input;
  const ids = given.flatMap((item) => (isReference(item) ? [item.id] : []));
  if (ids.length === 0) return input;
  const maxBytes = maxBodyBytes - bytesBefore;
  const found = callStoreWithTimeout(
    storeTimeoutMs,
    () => store.items(account, [...new Set(ids)], { maxBytes }),
    (result) => result?.outcome !== undefined,
  );
  return mapAwaitable(found, (result) => {
    if (result.outcome === "too_long") throw tooLong("input");
    const byId = new Map(result.items.map((item) => [item.id, item]));
    let bytes = 0;
    return given.map((item, at) => {
      if (!isReference(item)) return item;
      const referred = byId.get(item.id);
      if (referred === undefined) throw itemNotFound(`input.${at}`);
      bytes += byteLength(referred.json);
      if (bytes > maxBytes) throw tooLong("input");
      return toInput(referred);
    });
  });
}

/** Returns an input as items. A text is a message of the user. */
function itemsOf(input: Input): InputItem[] {
  if (input == null) return [];
  if (Array.isArray(input)) return input;
  return [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }];
}

function toInput({ json }: ResponseItem): InputItem {
  const item: unknown = JSON.parse(json);
  return isJsonObject(item) ? item : {};
}

const sizeOf = (items: readonly ResponseItem[]): number => items.reduce((sum, { json }) => sum + byteLength(json), 0);

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
