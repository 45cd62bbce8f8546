import { ProviderError } from "../../errors/provider-error.ts";
import type { Transport } from "../../ports/transport.ts";
import { after } from "../../runtime/timers.ts";
import { isJsonObject, type JsonObject } from "../../wire/json.ts";
import { collect } from "../byte-streams.ts";
import { besideChat, type Endpoint } from "../openai-endpoint.ts";
import { classifyErrorResponse } from "../send-call.ts";

/** Where a list of models is requested, and its timeout. */
export interface ListSource {
  readonly endpoint: Endpoint;
  readonly transport: Transport;
  readonly timeoutMs: number;
}

const maxBodyBytes = 4 * 1024 * 1024;
const maxEntries = 10_000;

/**
 * Requests `GET /models` of an upstream and resolves to the entries. `closing` aborts it. Rejects with a ProviderError
 * if the response is not a list of at least one model.
 */
export async function listUpstreamModels(source: ListSource, closing: AbortSignal): Promise<readonly JsonObject[]> {
  const abort = new AbortController();
  const onClose = () => abort.abort(closing.reason);
  const cancelTimer = after(source.timeoutMs, () => abort.abort(timedOut(source.timeoutMs)));
  closing.addEventListener("abort", onClose);
  try {
    closing.throwIfAborted();
    return readEntries(await readBody(source, abort.signal));
  } finally {
    cancelTimer();
    closing.removeEventListener("abort", onClose);
  }
}

async function readBody({ endpoint, transport, timeoutMs }: ListSource, signal: AbortSignal): Promise<Uint8Array> {
  const { "content-type": _, ...headers } = endpoint.headers;
  const response = await transport({
    method: "GET",
    url: besideChat(endpoint, "/models"),
    headers,
    signal,
    connectMs: timeoutMs,
  });
  if (response.status === 200) return collect(response.body, maxBodyBytes);
  const error = await classifyErrorResponse(response, { provider: "GET /models", hidden: endpoint.hidden });
  throw signal.aborted ? signal.reason : error;
}

/** OpenAI wraps the list in `data`. Some compatible upstreams send the array itself. */
function readEntries(body: Uint8Array): readonly JsonObject[] {
  const value = parse(body);
  const list = isJsonObject(value) ? value["data"] : value;
  if (!Array.isArray(list)) throw invalidList("something other than a list of models");
  const entries = list.filter(isJsonObject);
  if (entries.length === 0) throw invalidList("a list without models");
  if (entries.length > maxEntries) throw invalidList(`more than ${maxEntries} models`);
  return entries;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw invalidList("something that is not JSON");
  }
}

const invalidList = (got: string) =>
  new ProviderError(
    "invalid_response",
    `GET /models of the upstream returned ${got}. Check that baseURL is that of an OpenAI-compatible API.`,
  );

const timedOut = (milliseconds: number) =>
  new ProviderError(
    "timeout",
    `GET /models of the upstream took more than ${milliseconds} ms. Try again, or raise timeoutMs.`,
  );
