import { unitPrices } from "./money/cost.ts";
import type { CurrentPrices, GatewayState, ListedPrices, ModelState, TargetState } from "./ports/gateway-state.ts";
import type { Model, ModelTarget, Price } from "./ports/model.ts";
import type { Plan } from "./ports/model-config.ts";
import type { Services } from "./request/services.ts";
import { modelAt } from "./routing/model.ts";
import { steadyDate, steadyNow } from "./runtime/timers.ts";

/** Returns the state of a gateway: see {@link GatewayState}. */
export function inspectGateway(services: Services, plans: readonly Plan[], startedAt: Date): GatewayState {
  const required = services.terms.required();
  const { usage } = services;
  return {
    startedAt: new Date(startedAt),
    models: [...services.models.current().values()].map((model) => modelState(services, modelAt(model, Date.now()))),
    plans: structuredClone(plans),
    terms: {
      versions: structuredClone(services.terms.versions()),
      ...(required === undefined ? {} : { inForce: required.version.id }),
    },
    inFlight: services.inFlight.count,
    draining: services.inFlight.isDraining,
    holds: services.runningHolds.count,
    ...(usage === undefined ? {} : { usage: { pending: usage.pending, dropped: usage.dropped } }),
    ...(services.spendCap === undefined ? {} : { spend: services.spendCap.state() }),
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
    targets: targets.map((target, at) => targetState(services, target, laterTargets(model, at))),
  };
}

/** Returns a target with the price lists of each later period. */
function laterTargets({ later }: Model, at: number): readonly ModelTarget[] {
  const target = later?.targets[at];
  return later === undefined || target === undefined ? [] : [target, ...laterTargets(later, at)];
}

function targetState({ health }: Services, target: ModelTarget, later: readonly ModelTarget[]): TargetState {
  const { state, until, opened, implausible } = health.stateOf(target, steadyNow());
  return {
    provider: target.provider.name,
    upstreamModel: target.upstreamModel,
    priority: target.priority,
    weight: target.weight,
    ...(Number.isFinite(target.contextWindow) ? { contextWindow: target.contextWindow } : {}),
    price: currentPrices(
      target.price,
      later.map(({ price }) => price),
    ),
    ...(target.cost === undefined
      ? {}
      : {
          cost: currentPrices(
            target.cost,
            later.flatMap(({ cost }) => cost ?? []),
          ),
        }),
    breaker: state,
    ...(state === "open" ? { breakerUntil: steadyDate(until) } : {}),
    ...(opened === undefined ? {} : { breakerSince: steadyDate(opened.at), breakerCause: opened.cause }),
    ...(implausible.count === 0
      ? {}
      : { implausibleUsage: { count: implausible.count, lastAt: new Date(implausible.lastAt) } }),
  };
}

/** `later` has the prices of each later period, which may be the same list. */
function currentPrices(price: Price, later: readonly Price[]): CurrentPrices {
  const following = later.filter(({ from }, at) => from !== (later[at - 1] ?? price).from).map(listedPrices);
  return { ...listedPrices(price), ...(following.length === 0 ? {} : { later: following }) };
}

const listedPrices = (price: Price): ListedPrices => ({
  ...unitPrices(price),
  ...(price.tiers.length === 0
    ? {}
    : { tiers: price.tiers.map((tier) => ({ aboveInputTokens: tier.aboveInputTokens, ...unitPrices(tier) })) }),
  ...(price.from === undefined ? {} : { from: new Date(price.from) }),
});
