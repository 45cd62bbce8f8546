import { parseAmount } from "../options/decimal.ts";
import type { Allowance } from "../ports/balance-store.ts";
import type { ApiKey, WindowLimit } from "../ports/key-store.ts";
import type { Window } from "../ports/limiter.ts";
import type { Plan } from "../ports/model-config.ts";
import type { HoldSpend } from "../ports/spend-limit.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Feature } from "../wire/feature.ts";

const defaultWindowSeconds = 60;

/** A plan as the steps use it. Its limits apply to each key that sets none of its own. */
export class CheckedPlan {
  readonly id: string;
  readonly billing: "prepaid" | "none";
  /** What each account of the plan is granted in each window. */
  readonly allowance: Allowance | undefined;
  /** What its limits are counted for. */
  readonly limitsPer: "key" | "account";
  readonly #features: ReadonlySet<Feature> | undefined;
  readonly #dialects: ReadonlySet<Dialect> | undefined;
  readonly #models: ReadonlySet<string> | undefined;
  readonly #requests: Window | undefined;
  readonly #tokens: Window | undefined;
  readonly #concurrency: number | undefined;
  readonly #spend: HoldSpend;

  constructor(plan: Plan) {
    this.id = plan.id;
    this.billing = plan.billing;
    this.allowance = plan.allowance && { ...plan.allowance, amount: parseAmount(plan.allowance.amount) };
    this.#features = plan.features && new Set(plan.features);
    this.#dialects = plan.dialects && new Set(plan.dialects);
    this.#models = plan.models && new Set(plan.models);
    this.#requests = toWindow(plan.limits?.requests);
    this.#tokens = toWindow(plan.limits?.tokens);
    this.#concurrency = plan.limits?.concurrency;
    this.limitsPer = plan.limits?.per ?? "key";
    this.#spend = plan.spend ? { account: { ...plan.spend, limit: parseAmount(plan.spend.limit) } } : {};
  }

  /** A plan without `features` allows all of them, except that `response_format` then needs prepaid billing. */
  allowsFeature(feature: Feature): boolean {
    return this.#features?.has(feature) ?? (this.billing === "prepaid" || feature !== "response_format");
  }

  /** True when both the plan and the key have the dialect. One without a list has all. */
  allowsDialect(key: ApiKey, dialect: Dialect): boolean {
    return (this.#dialects?.has(dialect) ?? true) && (key.dialects?.includes(dialect) ?? true);
  }

  /** True when both the plan and the key may use the model. */
  allowsModel(key: ApiKey, model: string): boolean {
    return (this.#models?.has(model) ?? true) && (key.models?.includes(model) ?? true);
  }

  requestsOf(key: ApiKey): Window | undefined {
    return toWindow(key.limits?.requests) ?? this.#requests;
  }

  tokensOf(key: ApiKey): Window | undefined {
    return toWindow(key.limits?.tokens) ?? this.#tokens;
  }

  /** The default limit of the account, and the limit of the key. */
  spendOf(key: ApiKey): HoldSpend {
    if (key.spend === undefined && key.limitsId === undefined) return this.#spend;
    return {
      ...this.#spend,
      ...(key.spend && { key: key.spend }),
      ...(key.limitsId !== undefined && { limitsId: key.limitsId }),
    };
  }

  concurrencyOf(key: ApiKey): number | undefined {
    return key.limits?.concurrency ?? this.#concurrency;
  }
}

const toWindow = (limit: WindowLimit | undefined): Window | undefined =>
  limit && { limit: limit.limit, windowSeconds: limit.windowSeconds ?? defaultWindowSeconds };

/** Returns a function that finds the plan of a key. It throws for a plan that the host did not configure. */
export function planLookup(configured: readonly Plan[]): (key: ApiKey) => CheckedPlan {
  const plans = new Map(configured.map((plan) => [plan.id, new CheckedPlan(plan)]));
  return (key) => {
    const plan = plans.get(key.plan);
    if (plan === undefined) throw new Error(`Key ${key.id} names the plan "${key.plan}". Add that plan to \`plans\`.`);
    return plan;
  };
}
