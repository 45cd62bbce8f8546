import type { Model, ModelTarget } from "../ports/model.ts";
import type {
  ChatModelConfig,
  EmbeddingModelConfig,
  ModelConfig,
  Target,
  UpstreamLimits,
} from "../ports/model-config.ts";
import { encodeUtf8 } from "../wire/bytes.ts";
import type { JsonObject } from "../wire/json.ts";
import { maxEmbeddingInputs } from "../wire/prompt.ts";
import { pricedTtls, readPrice } from "./price.ts";
import { readLimits } from "./target-limits.ts";

/** The window assumed for a target without `contextWindow`, where a part of unknown size is counted. */
const assumedWindow = 200_000;
const processStart = new Date();

/** Reads a model of the host that has been checked by its schema. `upstream` has the gateway's limits. */
export function readModel(config: ModelConfig, upstream: UpstreamLimits = {}): Model {
  const [first, ...others] = config.targets
    .map((target, index) => readTarget(config, target, index, upstream))
    .sort((a, b) => a.priority - b.priority);
  if (first === undefined) throw new Error(`The model "${config.id}" has no targets.`);
  return {
    id: config.id,
    idJson: encodeUtf8(JSON.stringify(config.id)),
    aliases: [...(config.aliases ?? [])],
    entry: toEntry(config),
    contextWindow: largestWindow([first, ...others]),
    kind: config.kind ?? "chat",
    maxOutputTokens: config.maxOutputTokens ?? 0,
    maxInputs: config.kind === "embedding" ? (config.maxInputs ?? maxEmbeddingInputs) : 0,
    dimensions: config.dimensions,
    imageTokens: largestImageTokens(config),
    unknownPartTokens: Math.max(...[first, ...others].map(windowOf)),
    vision: config.vision ?? false,
    tools: config.tools ?? config.kind !== "embedding",
    reasoning: config.reasoning && structuredClone(config.reasoning),
    targets: [first, ...others],
    logContent: config.logContent ?? false,
    refuses: [first, ...others].some(({ provider }) => provider.capabilities.refusedFields !== undefined),
    prices: [first, ...others].map(({ price }) => price),
  };
}

function largestWindow(targets: readonly ModelTarget[]): number | undefined {
  const largest = Math.max(...targets.map(({ contextWindow }) => contextWindow));
  return Number.isFinite(largest) ? largest : undefined;
}

const largestImageTokens = ({ targets, imageTokens = 0 }: ModelConfig): number =>
  Math.max(...targets.map((target) => target.imageTokens ?? imageTokens));

const windowOf = ({ contextWindow }: ModelTarget): number =>
  Number.isFinite(contextWindow) ? contextWindow : assumedWindow;

function readTarget(config: ModelConfig, target: Target, index: number, upstream: UpstreamLimits): ModelTarget {
  const { provider, model, priority = index + 1, weight = 1 } = target;
  return {
    provider,
    upstreamModel: model,
    upstreamModelJson: encodeUtf8(JSON.stringify(model)),
    identity: identityOf(config.targets, index),
    price: readPrice(target.price ?? config.price),
    ...(target.cost === undefined ? {} : { cost: readPrice(target.cost) }),
    cacheTtls: pricedTtls(target.price ?? config.price),
    contextWindow: target.contextWindow ?? config.contextWindow ?? Number.POSITIVE_INFINITY,
    priority,
    weight,
    limits: readLimits(upstream, config, target),
  };
}

/** The position counts only among targets with equal names, so that the order of the others changes nothing. */
function identityOf(targets: readonly Target[], index: number): string {
  const names = targets.map(({ provider, model }) => `${provider.name}\0${model}`);
  const name = names[index] ?? "";
  return `${name}\0${names.slice(0, index).filter((each) => each === name).length}`;
}

function toEntry(config: ModelConfig): JsonObject {
  const { displayName, contextWindow } = config;
  return {
    ...structuredClone(config.extra ?? {}),
    id: config.id,
    object: "model",
    created: Math.floor((config.created ?? processStart).getTime() / 1000),
    owned_by: config.ownedBy ?? "tollgate",
    ...(displayName === undefined ? {} : { display_name: displayName }),
    ...(contextWindow === undefined ? {} : { context_window: contextWindow }),
    ...(config.kind === "embedding" ? embeddingMembers(config) : chatMembers(config)),
  };
}

const embeddingMembers = ({ maxInputs = maxEmbeddingInputs, dimensions }: EmbeddingModelConfig): JsonObject => ({
  vision: false,
  kind: "embedding",
  max_inputs: maxInputs,
  ...(dimensions === undefined ? {} : { dimensions }),
});

function chatMembers(config: ChatModelConfig): JsonObject {
  const { reasoning } = config;
  return {
    max_output_tokens: config.maxOutputTokens,
    vision: config.vision ?? false,
    reasoning:
      reasoning === undefined
        ? null
        : { effort_levels: [...reasoning.effortLevels], default_effort: reasoning.defaultEffort },
  };
}
