/** Returns how a model's thinking is configured: by a level, by a budget in tokens, or not at all. An unknown name counts as a model of the newest generation. */
export function thinkingKind(model: string): "level" | "budget" | "none" {
  if (/(?:^|\/)gemini-2\.5(?:[.-]|$)/i.test(model)) return "budget";
  return /(?:^|\/)(?:gemini-[12](?:[.-]|$)|gemma-[123](?:n|[.-]|$)|gemini-pro(?:-vision)?$)/i.test(model)
    ? "none"
    : "level";
}

/** Returns true for models that always think, and whose lowest thinking level is "low". */
export const isPro = (model: string): boolean => /(?:^|\/)gemini-(?:[\w.]+-)*pro(?:-|$)/i.test(model);

/** Returns true for models that reject function calls without thought signatures in the history. */
export const needsSignatures = (model: string): boolean =>
  /(?:^|\/)gemini-/i.test(model) && thinkingKind(model) === "level";
