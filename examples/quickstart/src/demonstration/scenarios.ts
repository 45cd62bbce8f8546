import type { NewKey } from "@tollgate/core/store";
import { modelIds } from "../offer.ts";

/** One case that a demo key demonstrates. */
export interface Scenario {
  readonly plan: "prepaid" | "subscription";
  /** Whether the account has money. */
  readonly funded?: boolean;
  readonly key?: Pick<NewKey, "models" | "limits" | "expiresAt">;
}

const dayMs = 86_400_000;

/** The scenarios by name. docs/guides/try-every-status.md describes each. */
export const scenarios = {
  prepaid: { plan: "prepaid", funded: true },
  subscription: { plan: "subscription" },
  restricted: { plan: "prepaid", funded: true, key: { models: [modelIds.plain] } },
  limited: { plan: "prepaid", funded: true, key: { limits: { requests: { limit: 5, windowSeconds: 60 } } } },
  empty: { plan: "prepaid" },
  terms: { plan: "prepaid", funded: true },
  expired: { plan: "prepaid", funded: true, key: { expiresAt: new Date(Date.now() - dayMs) } },
  revoked: { plan: "prepaid", funded: true },
} as const satisfies Record<string, Scenario>;

/** The name of a scenario. */
export type ScenarioName = keyof typeof scenarios;

/** The names of all scenarios in order. */
export const scenarioNames: readonly ScenarioName[] = Object.keys(scenarios).filter(isScenarioName);

function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name);
}

/** A value for each scenario. */
export type ByScenario<T> = Readonly<Record<ScenarioName, T>>;

/** Creates a value for each scenario, one after another. */
export async function forEachScenario<T>(make: (name: ScenarioName) => Promise<T>): Promise<ByScenario<T>> {
  return {
    prepaid: await make("prepaid"),
    subscription: await make("subscription"),
    restricted: await make("restricted"),
    limited: await make("limited"),
    empty: await make("empty"),
    terms: await make("terms"),
    expired: await make("expired"),
    revoked: await make("revoked"),
  };
}
