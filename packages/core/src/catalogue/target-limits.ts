import type { TargetLimits } from "../ports/model.ts";
import type { ModelConfig, Target, UpstreamLimits } from "../ports/model-config.ts";

/** The limits of a target: each is its own, else its model's, else the gateway's, else the default. */
export function readLimits(
  gateway: UpstreamLimits,
  model: Pick<ModelConfig, "reasoning" | "upstream">,
  target: Pick<Target, "upstream"> = {},
): TargetLimits {
  const defaults = model.reasoning === undefined ? ofAnswers : ofReasoning;
  const { connectMs, firstFrameMs, headMs, idleMs } = { ...model.upstream, ...target.upstream };
  return {
    connectMs: connectMs ?? gateway.connectMs ?? defaults.connectMs,
    firstFrameMs: firstFrameMs ?? gateway.firstFrameMs ?? defaults.firstFrameMs,
    headMs: headMs ?? gateway.headMs ?? defaults.headMs,
    idleMs: idleMs ?? gateway.idleMs ?? defaults.idleMs,
    totalMs: model.upstream?.totalMs ?? gateway.totalMs ?? defaults.totalMs,
  };
}

/** Where limits are configured: the gateway, and its models unless a function gives them. */
interface Configured {
  readonly upstream?: UpstreamLimits | undefined;
  readonly models: readonly ModelConfig[] | (() => readonly ModelConfig[]);
}

/** The shortest limit that the gateway keeps by looking at its clock; of a list of models that changes, the gateway's own count. */
export function shortestLimit({ upstream = {}, models }: Configured): number {
  const configured = typeof models === "function" ? [] : models;
  const limits = configured.flatMap((model) => model.targets.map((target) => readLimits(upstream, model, target)));
  return Math.min(...[readLimits(upstream, {}), ...limits].map(shortestOf));
}

const shortestOf = ({ firstFrameMs, headMs, idleMs, totalMs }: TargetLimits): number =>
  Math.min(firstFrameMs, headMs, idleMs, totalMs);

const ofAnswers: TargetLimits = {
  connectMs: 5_000,
  firstFrameMs: 60_000,
  headMs: 300_000,
  idleMs: 60_000,
  totalMs: 600_000,
};

/** A model that reasons may be silent for minutes. */
const ofReasoning: TargetLimits = { ...ofAnswers, firstFrameMs: 300_000, idleMs: 300_000 };
