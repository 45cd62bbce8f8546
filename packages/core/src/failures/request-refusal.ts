import type { ErrorPayload } from "./error-payload.ts";

/**
 * Returns true for a 402 because the account cannot afford this request, but a smaller one, and for a 404 because the
 * model does not support what this request needs. Other requests to the target may succeed.
 */
export function isAboutRequest(status: number | undefined, { message, names }: ErrorPayload): boolean {
  if (message === undefined || names.some((name) => accountNames.has(name.toLowerCase()))) return false;
  if (status === 402) return canAffordLess(message);
  return status === 404 && /^\s*no endpoints found that (?:support|can handle)\b/i.test(message);
}

/** Names of an empty balance, which outweigh the message. */
const accountNames: ReadonlySet<string> = new Set(["insufficient_quota", "billing_error"]);

/** Matches messages of OpenRouter. An amount of 0 means that the account cannot afford any request. */
function canAffordLess(message: string): boolean {
  const [, affordable = ""] = affordableTokens.exec(message) ?? promptTokens.exec(message) ?? [];
  return Number(affordable.replaceAll(",", "")) > 0;
}

const affordableTokens = /^[^.]{0,200}\bfewer max_tokens\b[\s\S]{0,100}\bcan only afford (\d[\d,]{0,14})/i;
const promptTokens = /^\s*prompt tokens limit exceeded: [\d,]{1,15} > (\d[\d,]{0,14})/i;
