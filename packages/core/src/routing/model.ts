import type { Model, ModelTarget, TargetLimits } from "../ports/model.ts";
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
import { listAt, pricedTtls, priceTimes, readPrice } from "./price.ts";

/** The window assumed for a target without `contextWindow`, where a part of unknown size is counted. */
const assumedWindow = 200_000;
const processStart = new Date();

/** Reads a model of the host that has been checked by its schema. `upstream` has the gateway's limits. */
export const readModel = (config: ModelConfig, upstream: UpstreamLimits = {}): Model =>
  readPeriods(config, upstream, priceTimes(config));

/** Returns the model with the price lists that apply at a time, in milliseconds since the Unix epoch. */
export function modelAt(model: Model, at: number): Model {
  let found = model;
  while (found.later !== undefined && found.later.from <= at) found = found.later;
  return found;
}

/** Reads the model of each period. The first time is that of the first period. */
function readPeriods(config: ModelConfig, upstream: UpstreamLimits, times: readonly number[]): Model {
  const [from = Number.NEGATIVE_INFINITY, ...laterTimes] = times;
  const [first, ...others] = config.targets
    .map((target, index) => readTarget(config, target, index, upstream, from))
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
    from,
    later: laterTimes.length === 0 ? undefined : readPeriods(config, upstream, laterTimes),
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

function readTarget(
  config: ModelConfig,
  target: Target,
  index: number,
  upstream: UpstreamLimits,
  at: number,
): ModelTarget {
  const { provider, model, priority = index + 1, weight = 1 } = target;
  const list = listAt(target.price ?? config.price, at);
  return {
    provider,
    upstreamModel: model,
    upstreamModelJson: encodeUtf8(JSON.stringify(model)),
    identity: identityOf(config.targets, index),
    price: readPrice(list),
    ...(target.cost === undefined ? {} : { cost: readPrice(listAt(target.cost, at)) }),
    cacheTtls: pricedTtls(list),
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

/** Returns the limits of a target: each is the target's own, the model's, the gateway's or the default, in that order. */
export function readLimits(
  gateway: UpstreamLimits,
  model: Pick<ModelConfig, "reasoning" | "upstream">,
  target: Pick<Target, "upstream"> = {},
): TargetLimits {
  const defaults = model.reasoning === undefined ? defaultLimits : reasoningLimits;
  const { connectMs, firstFrameMs, headMs, idleMs } = { ...model.upstream, ...target.upstream };
  return {
    connectMs: connectMs ?? gateway.connectMs ?? defaults.connectMs,
    firstFrameMs: firstFrameMs ?? gateway.firstFrameMs ?? defaults.firstFrameMs,
    headMs: headMs ?? gateway.headMs ?? defaults.headMs,
    idleMs: idleMs ?? gateway.idleMs ?? defaults.idleMs,
    totalMs: model.upstream?.totalMs ?? gateway.totalMs ?? defaults.totalMs,
  };
}

/** Returns the shortest limit that the shared ticker checks. Where `models` is a function, its limits are not read. */
export function shortestLimit({
  upstream = {},
  models,
}: {
  readonly upstream?: UpstreamLimits | undefined;
  readonly models: readonly ModelConfig[] | (() => readonly ModelConfig[]);
}): number {
  const configured = typeof models === "function" ? [] : models;
  const limits = configured.flatMap((model) => model.targets.map((target) => readLimits(upstream, model, target)));
  return Math.min(...[readLimits(upstream, {}), ...limits].map(shortestOf));
}

const shortestOf = ({ firstFrameMs, headMs, idleMs, totalMs }: TargetLimits): number =>
  Math.min(firstFrameMs, headMs, idleMs, totalMs);

const defaultLimits: TargetLimits = {
  connectMs: 5_000,
  firstFrameMs: 60_000,
  headMs: 300_000,
  idleMs: 60_000,
  totalMs: 600_000,
};

/** A model may reason for minutes before its next output. */
const reasoningLimits: TargetLimits = { ...defaultLimits, firstFrameMs: 300_000, idleMs: 300_000 };
