import { describeError } from "../../../errors/describe-error.ts";
import { callStoreWithTimeout } from "../../../ports/call-store-with-timeout.ts";
import type { NewResponse, ResponseItem } from "../../../ports/response-store.ts";
import type { ResponseStorage, Services } from "../../../request/services.ts";
import { startNow } from "../../../runtime/take-turns.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { parseLosslessJson, writeLosslessJson } from "../../../wire/lossless-json.ts";
import type { ResponsesRequest } from "./request-schema.ts";

/**
 * Returns the function that stores an answer, as JSON, before its client gets the end of it. It returns the answer, which
 * says `store: false` if the account is full or the store failed: a paid answer is never refused for that. Never rejects.
 */
export function saveAnswer(
  services: Services,
  { store, ttlMs, maxAccountBytes }: ResponseStorage,
  account: string,
  request: ResponsesRequest,
  input: readonly JsonObject[],
): (json: string) => Promise<string> {
  const { previous_response_id: previousId } = request;
  const unstored = (json: string, reason: "full" | "failed", cause?: unknown): string => {
    const described = cause === undefined ? {} : { cause: describeError(cause) };
    services.observe({ type: "response.unstored", at: Date.now(), account, reason, ...described });
    const response = parseLosslessJson(json);
    return isJsonObject(response) ? writeLosslessJson({ ...response, store: false }) : json;
  };
  return async (json) => {
    try {
      const { id, output } = readAnswer(json);
      const response: NewResponse = {
        id,
        account,
        response: json,
        input: await startNow(storedItems(input)),
        output: await startNow(storedItems(output)),
        ttlMs,
        maxAccountBytes,
        ...(previousId == null ? {} : { previousId }),
      };
      const { outcome } = await callStoreWithTimeout(
        services.storeTimeoutMs,
        () => store.save(response),
        (result) => result?.outcome === "saved" || result?.outcome === "full",
      );
      return outcome === "saved" ? json : unstored(json, "full");
    } catch (cause) {
      return unstored(json, "failed", cause);
    }
  };
}

function readAnswer(json: string) {
  const response = parseLosslessJson(json);
  const { id, output } = isJsonObject(response) ? response : {};
  if (typeof id !== "string" || id === "" || !Array.isArray(output)) throw new Error("The answer is not a response.");
  return { id, output: output.filter(isJsonObject) };
}

/** An id that every store can keep and index. */
const storable = /^[!-~]{1,256}$/;

/** After this many characters of JSON, others have their turn. */
const charactersInStep = 65_536;

/** Writes items, each with an id: its own, unless it has none, or one that cannot be stored or occurs twice. */
function* storedItems(items: readonly JsonObject[]): Generator<undefined, ResponseItem[]> {
  const taken = new Set<string>();
  const stored: ResponseItem[] = [];
  let characters = 0;
  for (const item of items) {
    if (characters > charactersInStep) {
      yield;
      characters = 0;
    }
    const { id: itemId } = item;
    const isUsable = typeof itemId === "string" && storable.test(itemId) && !taken.has(itemId);
    const id = isUsable ? itemId : `item_${crypto.randomUUID().replaceAll("-", "")}`;
    taken.add(id);
    const json = writeLosslessJson({ ...item, id });
    characters += json.length;
    stored.push({ id, json });
  }
  return stored;
}
