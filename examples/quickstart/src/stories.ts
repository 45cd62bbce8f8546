import type { NewKey } from "@tollgate/core/store";
import { modelIds } from "./offer.ts";

/** One story that a demonstration key tells. */
export interface Story {
  /** What a chat completion with the key gives. */
  readonly expect: string;
  readonly tells: string;
  readonly plan: "prepaid" | "subscription";
  /** True when its account has money. */
  readonly funded?: boolean;
  readonly key?: Pick<NewKey, "models" | "limits" | "expiresAt">;
}

const dayMs = 86_400_000;

/** The stories, by the name of their key. */
export const stories = {
  prepaid: {
    expect: "200",
    tells: "a balance of 100 to 1,000 and 100,000 requests a minute",
    plan: "prepaid",
    funded: true,
  },
  subscription: { expect: "200", tells: "a subscription: no balance, no response_format (403)", plan: "subscription" },
  restricted: {
    expect: "200",
    tells: `sees the model ${modelIds.plain} only; others are 404`,
    plan: "prepaid",
    funded: true,
    key: { models: [modelIds.plain] },
  },
  limited: {
    expect: "200, then 429",
    tells: "5 requests a minute",
    plan: "prepaid",
    funded: true,
    key: { limits: { requests: { limit: 5, windowSeconds: 60 } } },
  },
  empty: { expect: "402", tells: "an account without a balance", plan: "prepaid" },
  terms: { expect: "428", tells: "an account that has yet to accept the terms", plan: "prepaid", funded: true },
  expired: {
    expect: "401",
    tells: "ended yesterday",
    plan: "prepaid",
    funded: true,
    key: { expiresAt: new Date(Date.now() - dayMs) },
  },
  revoked: { expect: "401", tells: "was revoked", plan: "prepaid", funded: true },
} as const satisfies Record<string, Story>;

/** The name of a story and of its key. */
export type StoryName = keyof typeof stories;

/** The names of all stories, in the order in which they are shown. */
export const storyNames: readonly StoryName[] = Object.keys(stories).filter(isStoryName);

function isStoryName(name: string): name is StoryName {
  return Object.hasOwn(stories, name);
}

/** One of something for each story. */
export type ByStory<T> = Readonly<Record<StoryName, T>>;

/** Makes one for each story, in turn. */
export async function forEachStory<T>(make: (name: StoryName) => Promise<T>): Promise<ByStory<T>> {
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
