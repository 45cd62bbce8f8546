import { createGateway, type ModelConfig, openaiCompatible } from "@tollgate/core";
import type { IssuedKey } from "@tollgate/core/store";
import { keys, options } from "../../shop/src/gateway.ts";

/** The key of a customer at OpenAI. Keep it encrypted, and decrypt it when the process starts. */
interface Credential {
  readonly account: string;
  readonly apiKey: string;
}

const baseURL = process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1";
const modelOf = (account: string) => `${account}/gpt-5-mini`;

const offer = ({ account, apiKey }: Credential): ModelConfig => ({
  id: modelOf(account),
  contextWindow: 400_000,
  maxOutputTokens: 64_000,
  // The customer pays OpenAI for the tokens, and you for the request.
  price: { input: "0", output: "0", request: "0.0005" },
  targets: [{ provider: openaiCompatible({ name: `openai of ${account}`, baseURL, apiKey }), model: "gpt-5-mini" }],
});

const shared: readonly ModelConfig[] = options.models;
let models = shared;

/** Replaces all credentials, at the start and after each change. The next request uses them. */
export function setCredentials(credentials: readonly Credential[]): void {
  models = [...shared, ...credentials.map(offer)];
}

export const gateway = createGateway({
  ...options,
  models: () => models,
  plans: [
    // Without this list, the keys of the plan could use the models of every customer.
    { id: "prepaid", billing: "prepaid", models: shared.map(({ id }) => id) },
    { id: "own-provider-key", billing: "prepaid" },
  ],
});

/** Creates a key that can use the model of its own account and no other. */
export async function createOwnKey(account: string): Promise<IssuedKey> {
  return keys.create({ account, plan: "own-provider-key", models: [modelOf(account)] });
}
