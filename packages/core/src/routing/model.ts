import { parseAmount } from "../options/decimal.ts";
import type { Model, ModelTarget, Price, TargetLimits } from "../ports/model.ts";
import type {
  ChatModelConfig,
  EmbeddingModelConfig,
  ModelConfig,
  PriceList,
  Target,
  UpstreamLimits,
} from "../ports/model-config.ts";
import { encodeUtf8 } from "../wire/bytes.ts";
import type { CacheTtl } from "../wire/edits.ts";
import type { JsonObject } from "../wire/json.ts";
import { maxEmbeddingInputs } from "../wire/prompt.ts";

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

/** The price of a model that costs nothing. */
export const free: Price = {
  input: 0n,
  output: 0n,
  cachedInput: 0n,
  cacheWrite: 0n,
  cacheWrite1h: 0n,
  request: 0n,
  highestInput: 0n,
};

/** Returns the cache lifetimes that have a price. Cache marks with another lifetime are removed before a call. */
export function pricedTtls(list: PriceList | "free"): ReadonlySet<CacheTtl> {
  if (list === "free") return new Set(["5m", "1h"]);
  const ttls = new Set<CacheTtl>();
  if (list.cacheWrite !== undefined) ttls.add("5m");
  if (list.cacheWrite1h !== undefined) ttls.add("1h");
  return ttls;
}

/** Reads a price list that has been checked by its schema. */
export function readPrice(list: PriceList | "free"): Price {
  if (list === "free") return free;
  const input = parseAmount(list.input);
  const cachedInput = amountOf(list.cachedInput, input);
  const cacheWrite = amountOf(list.cacheWrite, input);
  const cacheWrite1h = amountOf(list.cacheWrite1h, cacheWrite);
  return {
    input,
    output: parseAmount(list.output),
    cachedInput,
    cacheWrite,
    cacheWrite1h,
    request: amountOf(list.request, 0n),
    highestInput: highest(input, cachedInput, cacheWrite, cacheWrite1h),
  };
}

function highest(first: bigint, ...others: readonly bigint[]): bigint {
  let price = first;
  for (const other of others) if (other > price) price = other;
  return price;
}

const amountOf = (text: string | undefined, absent: bigint): bigint =>
  text === undefined ? absent : parseAmount(text);

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
