import { unitPrices } from "./money/cost.ts";
import type { GatewayState, ModelState, TargetState } from "./ports/gateway-state.ts";
import type { Model, ModelTarget } from "./ports/model.ts";
import type { Plan } from "./ports/model-config.ts";
import type { Services } from "./request/services.ts";

/** Returns the state of a gateway: see {@link GatewayState}. */
export function inspectGateway(services: Services, plans: readonly Plan[], startedAt: Date): GatewayState {
  const required = services.terms.required();
  const { usage } = services;
  return {
    startedAt: new Date(startedAt),
    models: [...services.models.current().values()].map((model) => modelState(services, model)),
    plans: structuredClone(plans),
    terms: {
      versions: structuredClone(services.terms.versions()),
      ...(required === undefined ? {} : { inForce: required.version.id }),
    },
    inFlight: services.inFlight.count,
    draining: services.inFlight.isDraining,
    holds: services.runningHolds.count,
    ...(usage === undefined ? {} : { usage: { pending: usage.pending, dropped: usage.dropped } }),
    settlementsWaiting: services.settlements.waiting,
    settlementsBehind: services.settlements.isBehind,
  };
}

function modelState(services: Services, model: Model): ModelState {
  const { id, kind, entry, contextWindow, maxOutputTokens, vision, tools, reasoning, targets } = model;
  return {
    id,
    kind,
    entry: structuredClone(entry),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    maxOutputTokens,
    vision,
    tools,
    ...(reasoning === undefined ? {} : { reasoning: structuredClone(reasoning) }),
    targets: targets.map((target) => targetState(services, target)),
  };
}

function targetState({ health }: Services, target: ModelTarget): TargetState {
  const { state, until, opened, implausible } = health.stateOf(target, Date.now());
  return {
    provider: target.provider.name,
    upstreamModel: target.upstreamModel,
    priority: target.priority,
    weight: target.weight,
    ...(Number.isFinite(target.contextWindow) ? { contextWindow: target.contextWindow } : {}),
    price: unitPrices(target.price),
    ...(target.cost === undefined ? {} : { cost: unitPrices(target.cost) }),
    breaker: state,
    ...(state === "open" ? { breakerUntil: new Date(until) } : {}),
    ...(opened === undefined ? {} : { breakerSince: new Date(opened.at), breakerCause: opened.cause }),
    ...(implausible.count === 0
      ? {}
      : { implausibleUsage: { count: implausible.count, lastAt: new Date(implausible.lastAt) } }),
  };
}
