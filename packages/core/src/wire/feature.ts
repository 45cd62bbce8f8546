/** A feature that a key, a plan or a model may lack; each is named after the request field that asks for it. */
export type Feature = "response_format" | "image_url" | "tools" | "reasoning_effort";

/** Every feature, in the order in which a request is checked for them. */
export const features: readonly Feature[] = ["response_format", "image_url", "tools", "reasoning_effort"];

/** True for the name of a feature. */
export const isFeature = (name: string): name is Feature => features.some((feature) => feature === name);
