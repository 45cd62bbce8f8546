import { GatewayError } from "../../errors/gateway-error.ts";
import { decodePathId, requestUrl } from "../../http/request-url.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonResponse, jsonTextResponse } from "../../ports/gateway-response.ts";
import type { ResponseInputPage, ResponseRef, ResponseStore } from "../../ports/response-store.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { Services } from "../../request/services.ts";
import type { Awaitable } from "../../runtime/awaitable.ts";
import { admit } from "../../steps/admit.ts";

/** The most bytes of the items of one page; an item that is larger is a page alone. */
const maxPageBytes = 4_194_304;

/** GET /responses/{id}: returns a stored response. https://platform.openai.com/docs/api-reference/responses/get */
export function showResponse(services: Services, exchange: Exchange, id: string): Promise<GatewayResponse> {
  return withStore(services, exchange, id, async ({ ask, ref, headers }) => {
    const found = await ask((store) => store.find(ref));
    if (found === undefined) throw responseNotFound();
    return jsonTextResponse(200, headers, found.response);
  });
}

/** DELETE /responses/{id}: removes a stored response. https://platform.openai.com/docs/api-reference/responses/delete */
export function deleteResponse(services: Services, exchange: Exchange, id: string): Promise<GatewayResponse> {
  return withStore(services, exchange, id, async ({ ask, ref, headers }) => {
    if (!(await ask((store) => store.delete(ref)))) throw responseNotFound();
    return jsonResponse(200, headers, { id: ref.id, object: "response", deleted: true });
  });
}

/** GET /responses/{id}/input_items: lists the items of the request. https://platform.openai.com/docs/api-reference/responses/input-items */
export function listResponseInput(services: Services, exchange: Exchange, id: string): Promise<GatewayResponse> {
  return withStore(services, exchange, id, async ({ ask, ref, headers }) => {
    const page = readPage(requestUrl(exchange.request).searchParams);
    const found = await ask((store) => store.input(ref, page));
    if (found === undefined && page.after !== undefined && (await ask((store) => store.find(ref))) !== undefined) {
      throw new GatewayError("invalid_request", "`after` is not an input item of this response.", { param: "after" });
    }
    if (found === undefined) throw responseNotFound();
    const { items, hasMore } = found;
    const [first = null, last = null] = [items.at(0)?.id, items.at(-1)?.id];
    // The items are JSON already, and can be long.
    const data = items.map(({ json }) => json).join(",");
    const rest = JSON.stringify({ first_id: first, last_id: last, has_more: hasMore }).slice(1);
    return jsonTextResponse(200, headers, `{"object":"list","data":[${data}],${rest}`);
  });
}

async function withStore(
  services: Services,
  exchange: Exchange,
  encodedId: string,
  answer: (call: {
    readonly ref: ResponseRef;
    readonly headers: Record<string, string>;
    ask<T>(call: (store: ResponseStore) => Awaitable<T>): Promise<T>;
  }) => Promise<GatewayResponse>,
): Promise<GatewayResponse> {
  const admitted = await admit(services, exchange, { dialect: "responses" });
  try {
    const { responses, storeTimeoutMs } = services;
    if (responses === undefined) {
      throw new GatewayError(
        "not_configured",
        "This gateway does not store responses. Keep the response and its items yourself, or ask the host to pass `responses` to createGateway().",
      );
    }
    return await answer({
      ref: { id: decodePathId(encodedId), account: admitted.caller.key.account },
      headers: admitted.exchange.headers,
      ask: async (call) =>
        callStoreWithTimeout(
          storeTimeoutMs,
          () => call(responses.store),
          () => true,
        ),
    });
  } finally {
    admitted.slot.release();
  }
}

const responseNotFound = (): GatewayError =>
  new GatewayError(
    "resource_not_found",
    "This account has no stored response with this id. It may have expired or been deleted.",
  );

function readPage(query: URLSearchParams): ResponseInputPage {
  const [limit, order, after] = [query.get("limit") ?? "20", query.get("order") ?? "desc", query.get("after")];
  if (!/^[1-9]\d?$|^100$/.test(limit)) {
    throw new GatewayError("invalid_request", "`limit` must be a whole number from 1 to 100.", { param: "limit" });
  }
  if (order !== "asc" && order !== "desc") {
    throw new GatewayError("invalid_request", '`order` must be "asc" or "desc".', { param: "order" });
  }
  const page = { limit: Number(limit), maxBytes: maxPageBytes, order } as const;
  return after === null ? page : { ...page, after };
}
