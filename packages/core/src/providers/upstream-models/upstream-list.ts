import { ProviderError } from "../../errors/provider-error.ts";
import type { Transport } from "../../ports/transport.ts";
import { after } from "../../runtime/timers.ts";
import { isJsonObject, type JsonObject } from "../../wire/json.ts";
import { collect } from "../byte-streams.ts";
import { sortErrorResponse } from "../error-response.ts";
import type { Endpoint } from "../openai-endpoint.ts";

/** Where a list of models is asked for, and how long that may take. */
export interface ListSource {
  readonly endpoint: Endpoint;
  readonly transport: Transport;
  readonly timeoutMs: number;
}

const longestBody = 4 * 1024 * 1024;
const mostEntries = 10_000;

/**
 * Asks an upstream for its `GET /models`, and gives the entries. `leaving` ends it. Throws a ProviderError for
 * whatever is no list of at least one model.
 */
export async function listUpstreamModels(source: ListSource, leaving: AbortSignal): Promise<readonly JsonObject[]> {
  const giveUp = new AbortController();
  const leave = () => giveUp.abort(leaving.reason);
  const forget = after(source.timeoutMs, () => giveUp.abort(tooLate(source.timeoutMs)));
  leaving.addEventListener("abort", leave);
  try {
    leaving.throwIfAborted();
    return readEntries(await readBody(source, giveUp.signal));
  } finally {
    forget();
    leaving.removeEventListener("abort", leave);
  }
}

async function readBody({ endpoint, transport, timeoutMs }: ListSource, signal: AbortSignal): Promise<Uint8Array> {
  const { "content-type": _, ...headers } = endpoint.headers;
  const response = await transport({ method: "GET", url: listURL(endpoint), headers, signal, connectMs: timeoutMs });
  if (response.status === 200) return collect(response.body, longestBody);
  const error = await sortErrorResponse(response, { provider: "GET /models", hidden: endpoint.hidden });
  throw signal.aborted ? signal.reason : error;
}

function listURL({ url }: Endpoint): string {
  const list = new URL(url);
  list.pathname = list.pathname.replace(/\/chat\/completions$/, "/models");
  return list.href;
}

/** OpenAI wraps the list in `data`; some compatible upstreams send it bare. */
function readEntries(body: Uint8Array): readonly JsonObject[] {
  const value = parse(body);
  const list = isJsonObject(value) ? value["data"] : value;
  if (!Array.isArray(list)) throw noList("something else than a list of models");
  const entries = list.filter(isJsonObject);
  if (entries.length === 0) throw noList("a list without models");
  if (entries.length > mostEntries) throw noList(`more than ${mostEntries} models`);
  return entries;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw noList("something that is not JSON");
  }
}

const noList = (got: string) =>
  new ProviderError(
    "invalid_response",
    `GET /models of the upstream gave ${got}. Check that baseURL is that of an OpenAI-compatible API.`,
  );

const tooLate = (milliseconds: number) =>
  new ProviderError(
    "timeout",
    `GET /models of the upstream took more than ${milliseconds} ms. Try again, or raise timeoutMs.`,
  );
