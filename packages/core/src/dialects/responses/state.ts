import { GatewayError } from "../../errors/gateway-error.ts";
import type { DialectServices } from "../../request/services.ts";
import type { Awaitable } from "../../runtime/awaitable.ts";
import { type InputItem, isReference } from "./input-items.ts";
import type { ResponsesRequest } from "./request-schema.ts";

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
  _services: DialectServices,
  _account: string,
  request: ResponsesRequest,
): Awaitable<ResolvedState> {
  if (request.previous_response_id != null) throw unresolvable("previous_response_id");
  const at = Array.isArray(request.input) ? request.input.findIndex((item: InputItem) => isReference(item)) : -1;
  if (at >= 0) throw unresolvable(`input.${at}`);
  return { request, store: false, onAnswer: undefined };
}

const unresolvable = (param: string): GatewayError =>
  new GatewayError(
    "unsupported_parameter",
    `\`${param}\` refers to a stored response, and responses are not stored here. Send the items of the conversation in \`input\`, with \`store: false\`.`,
    { param },
  );
