import * as v from "valibot";
import { arrayOf, date, filledText, finiteNumber, flag, port, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { problemsOf, uniqueIds } from "../options/problems.ts";
import { isJsonObject, type Json, type JsonObject } from "../wire/json.ts";
import { maxEmbeddingInputs } from "../wire/prompt.ts";
import { paidPrices, plausiblePrices, priceSchema } from "./price-schema.ts";
import type { ProviderAdapter } from "./provider-adapter.ts";

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** The schema of a ProviderAdapter. */
export const providerSchema = v.pipe(
  port<ProviderAdapter>("a ProviderAdapter", ["complete", "stream"], "openaiCompatible({ baseURL, apiKey })"),
  v.check(({ name }) => typeof name === "string", "has no `name`. Give it one for events"),
  v.check(({ capabilities }) => isObject(capabilities), "has no `capabilities`. See ProviderCapabilities"),
);

const attemptMembers = {
  connectMs: v.exactOptional(wholeNumber()),
  firstFrameMs: v.exactOptional(wholeNumber()),
  headMs: v.exactOptional(wholeNumber()),
  idleMs: v.exactOptional(wholeNumber()),
};

/** The schema of AttemptLimits, the limits of one target. `totalMs` applies to all targets together, so it is not a member. */
const attemptLimits = optionMembers("a target's limits, which leave `totalMs` to its model", attemptMembers);

/** The schema of UpstreamLimits, the limits of a gateway or a model. */
export const upstreamLimits = optionMembers("`upstream`", {
  ...attemptMembers,
  totalMs: v.exactOptional(wholeNumber()),
});

const targetMembers = {
  provider: providerSchema,
  model: filledText,
  price: v.exactOptional(paidPrices),
  cost: v.exactOptional(paidPrices),
  contextWindow: v.exactOptional(wholeNumber()),
  imageTokens: v.exactOptional(wholeNumber()),
  upstream: v.exactOptional(attemptLimits),
  priority: v.exactOptional(finiteNumber()),
  weight: v.exactOptional(finiteNumber(0)),
};
const target = optionMembers("a target", targetMembers);

const reasoning = v.pipe(
  optionMembers("a model's reasoning", {
    effortLevels: v.pipe(
      arrayOf("effort levels", filledText),
      v.minLength(1, 'is empty. Give at least one level, such as "medium"'),
    ),
    defaultEffort: filledText,
    visible: v.exactOptional(flag),
  }),
  v.check(
    ({ effortLevels, defaultEffort }) => effortLevels.includes(defaultEffort),
    "has a `defaultEffort` that is not one of its `effortLevels`. Use one of them, or add it",
  ),
);

const extra = v.pipe(
  v.custom<Readonly<Record<string, Json>>>(isJsonObject, wanted("must be an object of JSON values")),
  v.transform((value) => structuredClone(value)),
);

/** The members of every kind of model that an upstream's model list does not contain. */
const commonSettings = {
  displayName: v.exactOptional(filledText),
  ownedBy: v.exactOptional(filledText),
  created: v.exactOptional(date),
  contextWindow: v.exactOptional(wholeNumber()),
  upstream: v.exactOptional(upstreamLimits),
  logContent: v.exactOptional(flag),
  allowTinyPrices: v.exactOptional(flag),
  extra: v.exactOptional(extra),
};

/** The settings of a model of chat completions. */
const chatSettings = {
  kind: v.exactOptional(v.literal("chat", wanted('must be "chat" or "embedding"'))),
  ...commonSettings,
  maxOutputTokens: wholeNumber(),
  vision: v.exactOptional(flag),
  tools: v.exactOptional(flag),
  imageTokens: v.exactOptional(wholeNumber()),
  reasoning: v.exactOptional(reasoning),
};

/** The settings of a model of embeddings. */
const embeddingSettings = {
  kind: v.literal("embedding"),
  ...commonSettings,
  maxInputs: v.exactOptional(wholeNumber(1, maxEmbeddingInputs)),
  dimensions: v.exactOptional(wholeNumber()),
};

/** Rejects `vision` without `imageTokens`, since the token counts of upstreams for an image differ by a factor of forty. */
function imageTokensWithVision<Settings extends object>() {
  return v.rawCheck<Settings>(({ dataset, addIssue }) => {
    const { vision, imageTokens, targets }: JsonObject = isJsonObject(dataset.value) ? dataset.value : {};
    if (vision !== true || imageTokens !== undefined) return;
    const all: readonly unknown[] = Array.isArray(targets) ? targets : [];
    if (all.length > 0 && all.every((each) => isJsonObject(each) && each["imageTokens"] !== undefined)) return;
    addIssue({
      message:
        "has `vision` and no `imageTokens`. Give the most prompt tokens that its upstream counts for one image, such as " +
        "1_445 for GPT-4o and 48_169 for GPT-4o mini",
    });
  });
}

const identity = {
  id: filledText,
  aliases: v.exactOptional(arrayOf("names", filledText)),
  price: priceSchema,
};
const targetsOf = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(
    arrayOf("targets, each { provider, model }", item),
    v.minLength(1, "is empty. Give at least one { provider, model }"),
  );

const embeddingTarget = optionMembers("a target of an embedding model", {
  ...targetMembers,
  provider: v.pipe(
    providerSchema,
    v.check(
      ({ dialects }) => typeof dialects?.embeddings === "function",
      'does not answer embeddings. Use one that declares the dialect, such as openaiCompatible({ baseURL, apiKey, dialects: ["embeddings"] })',
    ),
  ),
});

const chatModel = v.pipe(
  optionMembers("a model", { ...identity, ...chatSettings, targets: targetsOf(target) }),
  imageTokensWithVision(),
  plausiblePrices(),
);
const embeddingModel = v.pipe(
  optionMembers("an embedding model", { ...identity, ...embeddingSettings, targets: targetsOf(embeddingTarget) }),
  plausiblePrices(),
);

/** Chooses the schema by the kind of a model, so that its problems name the members of that kind. */
function byKind<Chat, Embedding>(
  chat: v.GenericSchema<unknown, Chat>,
  embedding: v.GenericSchema<unknown, Embedding>,
): v.GenericSchema<unknown, Chat | Embedding> {
  return v.lazy((value): v.GenericSchema<unknown, Chat | Embedding> => {
    return isJsonObject(value) && value["kind"] === "embedding" ? embedding : chat;
  });
}

/** Reports each alias that is also an id or another alias. */
function uniqueAliases<Item>() {
  return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
    const models = Array.isArray(dataset.value) ? dataset.value.filter(isJsonObject) : [];
    const names = new Set<unknown>(models.map(({ id }) => id));
    const aliases = models.flatMap((model): readonly unknown[] =>
      Array.isArray(model["aliases"]) ? model["aliases"] : [],
    );
    for (const alias of aliases) {
      if (names.has(alias)) {
        addIssue({ message: `has the alias "${alias}" twice, or a model with this id. Leave it at one model` });
      }
      names.add(alias);
    }
  });
}

/** The schema of a list of models. */
export const modelListSchema = v.pipe(
  arrayOf("models", byKind(chatModel, embeddingModel)),
  uniqueIds(),
  uniqueAliases(),
);

/** The schema of the settings of a model, which are its members except its id, price and targets. */
export const modelSettingsSchema = byKind(
  v.pipe(optionMembers("the option `settings`", chatSettings), imageTokensWithVision()),
  optionMembers("the option `settings` of an embedding model", embeddingSettings),
);

/** Returns the problems of a list of models; each names the option and says how to correct it. */
export const checkModels = (models: unknown): readonly string[] => problemsOf(modelListSchema, models, "models");
