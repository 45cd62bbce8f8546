import type { TargetLimits } from "../ports/model.ts";
import type { ModelConfig, Target, UpstreamLimits } from "../ports/model-config.ts";

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

/** The options that have limits: the gateway's and those of its models. */
interface Configured {
  readonly upstream?: UpstreamLimits | undefined;
  readonly models: readonly ModelConfig[] | (() => readonly ModelConfig[]);
}

/** Returns the shortest limit that the shared ticker checks. Where `models` is a function, its limits are not read. */
export function shortestLimit({ upstream = {}, models }: Configured): number {
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
