import { checkModels } from "../../catalogue/check-models.ts";
import { messageOf } from "../../options/message-of.ts";
import type { ModelConfig, PriceList } from "../../ports/model-config.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import type { JsonObject } from "../../wire/json.ts";
import { matchesPattern } from "./name-pattern.ts";

/** What a host says of a model beside its id, price and target. */
export type ModelSettings = Omit<ModelConfig, "id" | "price" | "targets">;

/** Which of an upstream's models are offered, and how. */
export interface Offer {
  /** Ids, in which `*` stands for any text, or a predicate of ids; absent: every model. */
  readonly allow?: readonly string[] | ((id: string) => boolean);
  /** By the upstream's id, in which `*` stands for any text: the id itself goes before the first pattern that fits. */
  readonly prices: Readonly<Record<string, PriceList | "free">>;
  /** Put before the upstream's id, such as "acme/". */
  readonly prefix?: string;
  /** Of every model, or of each by its id and its entry in the upstream's list. */
  readonly settings: ModelSettings | ((id: string, entry: JsonObject) => ModelSettings);
}

/** The models on offer, and those that are not against the host's wish. */
export interface OfferedModels {
  readonly models: readonly ModelConfig[];
  /** Ids that have no price. */
  readonly unpriced: readonly string[];
  /** A sentence for each entry that cannot be used. */
  readonly unusable: readonly string[];
}

/** Turns the entries of an upstream's list into models. An id that is there twice counts once. */
export function offerModels(entries: readonly JsonObject[], offer: Offer, provider: ProviderAdapter): OfferedModels {
  const offered: Gathered = { models: [], unpriced: [], unusable: [] };
  const seen = new Set<unknown>();
  for (const entry of entries) {
    const { id } = entry;
    if (seen.has(id)) continue;
    seen.add(id);
    if (!isPlainId(id)) offered.unusable.push(`A model is left out, since its id cannot be used: ${excerpt(id)}.`);
    else offerModel(id, entry, offer, provider, offered);
  }
  return offered;
}

interface Gathered {
  readonly models: ModelConfig[];
  readonly unpriced: string[];
  readonly unusable: string[];
}

function offerModel(id: string, entry: JsonObject, offer: Offer, provider: ProviderAdapter, offered: Gathered): void {
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
  } catch (fault) {
    // What the host's functions throw for one model must not take the others away.
    offered.unusable.push(`The model "${id}" is left out: ${messageOf(fault)}`);
  }
}

function priceOf({ prices }: Offer, id: string): PriceList | "free" | undefined {
  if (Object.hasOwn(prices, id)) return prices[id];
  return Object.entries(prices).find(([pattern]) => matchesPattern(pattern, id))?.[1];
}

function isAllowed({ allow }: Offer, id: string): boolean {
  if (allow === undefined) return true;
  return typeof allow === "function" ? allow(id) : allow.some((pattern) => matchesPattern(pattern, id));
}

/** No control character, no space, no half of a surrogate pair, nothing invisible, and at most 200 characters. */
const isPlainId = (id: unknown): id is string => typeof id === "string" && /^[^\p{C}\p{Z}]{1,200}$/u.test(id);

const excerpt = (id: unknown) => (JSON.stringify(id) ?? "none").slice(0, 80).replace(/[^ -~]/g, "?");
