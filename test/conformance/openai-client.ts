import OpenAI from "openai";
import type { ServedGateway } from "./served-gateway.ts";

/** The official client with a key of the account "acme", without retries by default. */
export async function openaiClient(
  served: ServedGateway,
  { apiKey, maxRetries = 0 }: { readonly apiKey?: string; readonly maxRetries?: number } = {},
): Promise<OpenAI> {
  return new OpenAI({ baseURL: served.baseURL, apiKey: apiKey ?? (await served.key()), maxRetries });
}

/** A history with one user message. */
export const say = (content: string) => [{ role: "user" as const, content }];
