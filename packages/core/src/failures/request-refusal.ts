import type { ErrorPayload } from "./error-payload.ts";

/**
 * True for a 402 about the size of one request, which the account could afford if it were smaller, and for a 404 about
 * what one request asks of a model that is there. Other requests may succeed, so neither speaks against the target.
 */
export function isAboutRequest(status: number | undefined, { message, names }: ErrorPayload): boolean {
  if (message === undefined || names.some((name) => accountNames.has(name.toLowerCase()))) return false;
  if (status === 402) return canAffordLess(message);
  return status === 404 && /^\s*no endpoints found that (?:support|can handle)\b/i.test(message);
}

/** Names of a balance that is empty, whatever the message says. */
const accountNames: ReadonlySet<string> = new Set(["insufficient_quota", "billing_error"]);

/** Texts of OpenRouter. An account that can afford nothing is at fault itself. */
function canAffordLess(message: string): boolean {
  const [, affordable = ""] = affordableTokens.exec(message) ?? promptTokens.exec(message) ?? [];
  return Number(affordable.replaceAll(",", "")) > 0;
}

const affordableTokens = /^[^.]{0,200}\bfewer max_tokens\b[\s\S]{0,100}\bcan only afford (\d[\d,]{0,14})/i;
const promptTokens = /^\s*prompt tokens limit exceeded: [\d,]{1,15} > (\d[\d,]{0,14})/i;
