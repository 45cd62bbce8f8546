import { requireOptions } from "../../options/problems.ts";
import type { ModelConfig } from "../../ports/model-config.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import type { Transport } from "../../ports/transport.ts";
import { fetchTransport } from "../fetch-transport.ts";
import { providerAt } from "../openai-compatible.ts";
import { type OpenAICompatibleOptions, readEndpoint } from "../openai-endpoint.ts";
import { ModelRefresher } from "./model-refresher.ts";
import type { Offer } from "./offered-models.ts";
import { upstreamModelsSchema } from "./upstream-models-schema.ts";

/** Where an upstream lists its models, which of them are offered, and how often is looked. */
export interface UpstreamModelsOptions extends OpenAICompatibleOptions, Offer {
  /** Serves the models; `openaiCompatible` with the same options when absent. */
  readonly provider?: ProviderAdapter;
  /** Carries the requests for the list; `fetchTransport()` when absent. */
  readonly transport?: Transport;
  /** Offered until the first list has come; none when absent. */
  readonly initial?: readonly ModelConfig[];
  /** Between two looks, give or take a tenth, in milliseconds; 300,000. After a failure it is less. */
  readonly refreshMs?: number;
  /** How long a list may take, in milliseconds; 10,000. */
  readonly timeoutMs?: number;
  /** Told each failure in the background, and each change in what is left out for want of a price or a usable id. */
  readonly onError: (error: Error) => void;
}

/** The function for `createGateway({ models })`: the last good list, the same array while nothing has changed. */
export interface UpstreamModels {
  (): readonly ModelConfig[];
  /** Settles with the first look: rejects when it failed, and the background goes on looking. */
  readonly ready: Promise<void>;
  /** Looks now; rejects when that fails, and the last good list stays. */
  refresh(): Promise<void>;
  /** Ends the looking; the last good list stays. */
  close(): void;
}

/**
 * The models that an OpenAI-compatible upstream lists at GET /models, with the host's prices, looked up in the
 * background: no request ever waits for it, and it keeps no process alive. Throws a TypeError when an option cannot
 * be used.
 */
export function upstreamModels(options: UpstreamModelsOptions): UpstreamModels {
  requireOptions("upstreamModels", upstreamModelsSchema, options);
  const endpoint = readEndpoint(options);
  const provider = options.provider ?? providerAt(endpoint, options);
  const { transport = fetchTransport(), timeoutMs = 10_000, refreshMs = 300_000, initial = [], onError } = options;
  const source = { endpoint, transport, timeoutMs };
  const refresher = new ModelRefresher({ source, offer: offerOf(options), provider, initial, refreshMs, onError });
  return Object.assign(() => refresher.models, {
    ready: refresher.start(),
    refresh: () => refresher.refresh(),
    close: () => refresher.close(),
  });
}

/** A copy, so that a later change of the host's object has no effect. */
function offerOf({ allow, prices, prefix = "", settings }: Offer): Offer {
  return {
    ...(allow !== undefined && { allow: typeof allow === "function" ? allow : [...allow] }),
    prices: structuredClone(prices),
    prefix,
    settings: typeof settings === "function" ? settings : structuredClone(settings),
  };
}
