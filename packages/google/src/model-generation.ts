/** How a model takes the wish for more or less thinking: as a level, as a budget in tokens, or not at all. */
export type ThinkingKind = "level" | "budget" | "none";

/** Names are open-ended, so that one which is not known to be older is taken for a model of the newest kind. */
export function thinkingKind(model: string): ThinkingKind {
  if (/(?:^|\/)gemini-2\.5(?:[.-]|$)/i.test(model)) return "budget";
  return /(?:^|\/)(?:gemini-[12](?:[.-]|$)|gemma-[123](?:n|[.-]|$)|gemini-pro(?:-vision)?$)/i.test(model)
    ? "none"
    : "level";
}

/** True for the models that take no thinking level below "low", and that cannot do without thinking. */
export const isPro = (model: string): boolean => /(?:^|\/)gemini-(?:[\w.]+-)*pro(?:-|$)/i.test(model);

/** True for the models that refuse a history whose function calls have lost their thought signatures. */
export const needsSignatures = (model: string): boolean =>
  /(?:^|\/)gemini-/i.test(model) && thinkingKind(model) === "level";
