import { messageOf } from "../../options/problems.ts";
import type { ChatModelConfig, EmbeddingModelConfig, ModelConfig, Prices } from "../../ports/model-config.ts";
import { checkModels } from "../../ports/model-schema.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import type { JsonObject } from "../../wire/json.ts";
import { matchesPattern } from "../../wire/name-pattern.ts";

/** The options of a model except its names, price and targets. */
export type ModelSettings = SettingsOf<ChatModelConfig> | SettingsOf<EmbeddingModelConfig>;

type SettingsOf<Config extends ModelConfig> = Omit<Config, "id" | "aliases" | "price" | "targets">;

/** Which models of an upstream are offered, and their options. */
export interface Offer {
  /** Ids, in which `*` matches any text, or a predicate of ids. Absent: every model. */
  readonly allow?: readonly string[] | ((id: string) => boolean);
  /** By the upstream's id, in which `*` matches any text. An exact id takes precedence over the first matching pattern. */
  readonly prices: Readonly<Record<string, Prices | "free">>;
  /** Added before the upstream's id, such as "acme/". */
  readonly prefix?: string;
  /** For every model, or a function of the id and the entry in the upstream's list. */
  readonly settings: ModelSettings | ((id: string, entry: JsonObject) => ModelSettings);
}

/** The offered models, and those that are left out although they are allowed. */
export interface OfferedModels {
  readonly models: ModelConfig[];
  /** The ids without a price. */
  readonly unpriced: string[];
  /** A sentence for each entry that is invalid. */
  readonly unusable: string[];
}

/** Turns the entries of an upstream's list into models. A repeated id counts once. */
export function offerModels(entries: readonly JsonObject[], offer: Offer, provider: ProviderAdapter): OfferedModels {
  const offered: OfferedModels = { models: [], unpriced: [], unusable: [] };
  const seen = new Set<unknown>();
  for (const entry of entries) {
    const { id } = entry;
    if (seen.has(id)) continue;
    seen.add(id);
    if (!isPlainId(id)) offered.unusable.push(`A model is left out because its id is invalid: ${excerpt(id)}.`);
    else offerModel(id, entry, offer, provider, offered);
  }
  return offered;
}

function offerModel(
  id: string,
  entry: JsonObject,
  offer: Offer,
  provider: ProviderAdapter,
  offered: OfferedModels,
): void {
  try {
    if (!isAllowed(offer, id)) return;
    const price = priceOf(offer, id);
    if (price === undefined) {
      offered.unpriced.push(id);
      return;
    }
    const settings = typeof offer.settings === "function" ? offer.settings(id, entry) : offer.settings;
    const publicId = `${offer.prefix ?? ""}${id}`;
    const model = { ...settings, id: publicId, price, targets: [{ provider, model: id }] };
    const [problem] = checkModels([model]);
    if (problem === undefined) offered.models.push(model);
    else offered.unusable.push(`The model "${id}" is left out: ${problem}`);
  } catch (cause) {
    // An error of the host's functions for one model must not affect the others.
    offered.unusable.push(`The model "${id}" is left out: ${messageOf(cause)}`);
  }
}

function priceOf({ prices }: Offer, id: string): Prices | "free" | undefined {
  if (Object.hasOwn(prices, id)) return prices[id];
  return Object.entries(prices).find(([pattern]) => matchesPattern(pattern, id))?.[1];
}

function isAllowed({ allow }: Offer, id: string): boolean {
  if (allow === undefined) return true;
  return typeof allow === "function" ? allow(id) : allow.some((pattern) => matchesPattern(pattern, id));
}

/** Returns true for at most 200 characters without control characters, spaces, lone surrogates and invisible characters. */
const isPlainId = (id: unknown): id is string => typeof id === "string" && /^[^\p{C}\p{Z}]{1,200}$/u.test(id);

const excerpt = (id: unknown) => (JSON.stringify(id) ?? "none").slice(0, 80).replace(/[^ -~]/g, "?");
