import * as v from "valibot";
import { arrayOf, filledText, functionValue, wanted, wholeNumber } from "../../options/leaves.ts";
import { optionMembers } from "../../options/members.ts";
import { requireOptions } from "../../options/problems.ts";
import type { ModelConfig } from "../../ports/model-config.ts";
import { modelListSchema, modelSettingsSchema, providerSchema } from "../../ports/model-schema.ts";
import { priceSchema } from "../../ports/price-schema.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import type { Transport } from "../../ports/transport.ts";
import { isJsonObject } from "../../wire/json.ts";
import { fetchTransport } from "../fetch-transport.ts";
import { providerAt } from "../openai-compatible.ts";
import { type OpenAICompatibleOptions, openaiMembers, readEndpoint } from "../openai-endpoint.ts";
import { ModelRefresher } from "./model-refresher.ts";
import type { ModelSettings, Offer } from "./offered-models.ts";

/** The upstream, which of its models are offered, and how often the list is refreshed. */
export interface UpstreamModelsOptions extends OpenAICompatibleOptions, Offer {
  /** The provider of the models; `openaiCompatible` with the same options when absent. */
  readonly provider?: ProviderAdapter;
  /** The transport for the list; `fetchTransport()` when absent. */
  readonly transport?: Transport;
  /** The models to offer before the first list; none when absent. */
  readonly initial?: readonly ModelConfig[];
  /** The time between two refreshes in milliseconds, with a jitter of a tenth; 300,000. It is shorter after a failure. */
  readonly refreshMs?: number;
  /** The timeout of a refresh, in milliseconds; 10,000. */
  readonly timeoutMs?: number;
  /** Called for each failure in the background, and for each change in the models that are left out. */
  readonly onError: (error: Error) => void;
}

/** The function for `createGateway({ models })`. It returns the last valid list, and the same array until something changes. */
export interface UpstreamModels {
  (): readonly ModelConfig[];
  /** Resolves after the first refresh. Rejects if it failed; the refreshes continue. */
  readonly ready: Promise<void>;
  /** Refreshes the list now. Rejects if that fails; the last valid list stays. */
  refresh(): Promise<void>;
  /** Stops the refreshes. The last valid list stays. */
  close(): void;
}

/**
 * Offers the models that an OpenAI-compatible upstream lists at GET /models, with the host's prices. The list is
 * refreshed in the background: no request waits for it, and it does not keep the process alive. Throws a TypeError that
 * lists every invalid option.
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

/** Copies the options, so that later changes by the host have no effect. */
function offerOf({ allow, prices, prefix = "", settings }: Offer): Offer {
  return {
    ...(allow !== undefined && { allow: typeof allow === "function" ? allow : [...allow] }),
    prices: structuredClone(prices),
    prefix,
    settings: typeof settings === "function" ? settings : structuredClone(settings),
  };
}

const settingsOf = functionValue<Extract<Offer["settings"], (...args: never) => unknown>>(
  "Give (id, entry) => settings.",
);

const allowed = functionValue<(id: string) => boolean>("Give (id) => boolean, or an array of ids.");

const isObject = v.custom<Readonly<Record<string, unknown>>>(
  isJsonObject,
  wanted("must be an object of price lists by the upstream's id"),
);

const upstreamModelsSchema = optionMembers("the options of upstreamModels", {
  ...openaiMembers,
  allow: v.exactOptional(v.lazy((value) => (typeof value === "function" ? allowed : arrayOf("ids", filledText)))),
  prices: v.pipe(isObject, v.record(v.string(), priceSchema)),
  prefix: v.exactOptional(v.string(wanted("must be a string"))),
  settings: v.lazy(
    (value): v.GenericSchema<unknown, ModelSettings | Extract<Offer["settings"], (...args: never) => unknown>> =>
      typeof value === "function" ? settingsOf : modelSettingsSchema,
  ),
  provider: v.exactOptional(providerSchema),
  transport: v.exactOptional(functionValue<Transport>("Pass pooledTransport() of @tollgate/node, or leave it out.")),
  initial: v.exactOptional(modelListSchema),
  refreshMs: v.exactOptional(wholeNumber()),
  timeoutMs: v.exactOptional(wholeNumber()),
  onError: functionValue<(error: Error) => void>("Give (error) => void, which reports each failure in the background."),
});
