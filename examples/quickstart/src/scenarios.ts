import type { NewKey } from "@tollgate/core/store";
import { modelIds } from "./offer.ts";

/** One case that a demo key demonstrates. */
export interface Scenario {
  /** The HTTP status of a chat completion with the key. */
  readonly expect: string;
  readonly description: string;
  readonly plan: "prepaid" | "subscription";
  /** Whether the account has money. */
  readonly funded?: boolean;
  readonly key?: Pick<NewKey, "models" | "limits" | "expiresAt">;
}

const dayMs = 86_400_000;

/** The scenarios by name. */
export const scenarios = {
  prepaid: {
    expect: "200",
    description: "a balance of 100 to 1,000 and 100,000 requests a minute",
    plan: "prepaid",
    funded: true,
  },
  subscription: {
    expect: "200",
    description: "a subscription: no balance, no response_format (403)",
    plan: "subscription",
  },
  restricted: {
    expect: "200",
    description: `may use only the model ${modelIds.plain}; others are 404`,
    plan: "prepaid",
    funded: true,
    key: { models: [modelIds.plain] },
  },
  limited: {
    expect: "200, then 429",
    description: "5 requests a minute",
    plan: "prepaid",
    funded: true,
    key: { limits: { requests: { limit: 5, windowSeconds: 60 } } },
  },
  empty: { expect: "402", description: "an account without a balance", plan: "prepaid" },
  terms: { expect: "428", description: "an account that has not accepted the terms", plan: "prepaid", funded: true },
  expired: {
    expect: "401",
    description: "expired yesterday",
    plan: "prepaid",
    funded: true,
    key: { expiresAt: new Date(Date.now() - dayMs) },
  },
  revoked: { expect: "401", description: "was revoked", plan: "prepaid", funded: true },
} as const satisfies Record<string, Scenario>;

/** The name of a scenario. */
export type ScenarioName = keyof typeof scenarios;

/** The names of all scenarios in the order in which they are printed. */
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
