import type { Feature } from "../ports/key-store.ts";

/** Every feature, in the order in which a request is checked for them. */
export const features: readonly Feature[] = ["response_format", "image_url", "tools", "reasoning_effort"];

/** True for the name of a feature. */
export const isFeature = (name: string): name is Feature => features.some((feature) => feature === name);
