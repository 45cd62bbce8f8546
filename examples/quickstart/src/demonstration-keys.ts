import type { BalanceStore, KeyAdmin, NewKey } from "@tollgate/core";
import { modelIds } from "./offer.ts";

/** One story that a demonstration key tells. */
interface Story {
  /** What a chat completion with the key gives. */
  readonly expect: string;
  readonly tells: string;
  readonly plan: "prepaid" | "subscription";
  /** Nano-units on the account; absent: none. */
  readonly balance?: bigint;
  readonly key?: Pick<NewKey, "models" | "limits" | "expiresAt">;
}

const plenty = 1_000_000_000_000n;

const dayMs = 86_400_000;

/** The stories, by the name of their key and of their account. */
export const stories = {
  prepaid: {
    expect: "200",
    tells: "a balance of 1,000 and 100,000 requests a minute",
    plan: "prepaid",
    balance: plenty,
  },
  subscription: { expect: "200", tells: "a subscription: no balance, no response_format (403)", plan: "subscription" },
  restricted: {
    expect: "200",
    tells: `sees the model ${modelIds.plain} only; others are 404`,
    plan: "prepaid",
    balance: plenty,
    key: { models: [modelIds.plain] },
  },
  limited: {
    expect: "200, then 429",
    tells: "5 requests a minute",
    plan: "prepaid",
    balance: plenty,
    key: { limits: { requests: { limit: 5, windowSeconds: 60 } } },
  },
  empty: { expect: "402", tells: "an account without a balance", plan: "prepaid" },
  terms: { expect: "428", tells: "an account that has yet to accept the terms", plan: "prepaid", balance: plenty },
  expired: {
    expect: "401",
    tells: "ended yesterday",
    plan: "prepaid",
    balance: plenty,
    key: { expiresAt: new Date(Date.now() - dayMs) },
  },
  revoked: { expect: "401", tells: "was revoked", plan: "prepaid", balance: plenty },
} as const satisfies Record<string, Story>;

/** The name of a demonstration key, which is also the name of its account. */
export type StoryName = keyof typeof stories;

/** The names of all stories, in the order in which they are shown. */
export const storyNames = Object.keys(stories).filter(isStoryName);

/** True for the name of a story. */
export function isStoryName(name: string): name is StoryName {
  return Object.hasOwn(stories, name);
}

/** Makes the demonstration keys anew, each with an account of its own, and gives back their secrets. */
export async function issueDemonstrationKeys(
  keys: KeyAdmin,
  balances: BalanceStore,
): Promise<Readonly<Record<StoryName, string>>> {
  return {
    prepaid: await issue("prepaid", keys, balances),
    subscription: await issue("subscription", keys, balances),
    empty: await issue("empty", keys, balances),
    terms: await issue("terms", keys, balances),
    limited: await issue("limited", keys, balances),
    expired: await issue("expired", keys, balances),
    revoked: await issue("revoked", keys, balances),
    restricted: await issue("restricted", keys, balances),
  };
}

async function issue(name: StoryName, keys: KeyAdmin, balances: BalanceStore): Promise<string> {
  const { plan, balance, key }: Story = stories[name];
  const issued = await keys.create({ account: name, plan, name: `demonstration: ${name}`, ...key });
  if (balance !== undefined) {
    await balances.credit({ id: `top-up-${name}`, account: name, amount: balance, reason: "demonstration" });
  }
  if (name === "revoked") await keys.revoke(issued.key.id);
  return issued.secret;
}
