import type { ProviderAdapter } from "../../../ports/provider-adapter.ts";
import type { AccountSigner } from "../../../request/account-signer.ts";
import { isJsonObject } from "../../../wire/json.ts";

/**
 * Returns an output item of a provider with its encrypted content sealed. It can be read only by the account that made it
 * upstream, and names nothing that tells the account. Two providers of one name are taken for the same account.
 */
export function sealItem(item: unknown, provider: ProviderAdapter, signer: AccountSigner): unknown {
  if (!isJsonObject(item) || typeof item["encrypted_content"] !== "string") return item;
  return { ...item, encrypted_content: signer.seal(item["encrypted_content"], provider) };
}

/**
 * Returns an input item as a provider gets it: encrypted content as the provider made it. Undefined for the reasoning of
 * others, which a provider that stores nothing cannot find either.
 */
export function unsealItem(item: unknown, provider: ProviderAdapter, signer: AccountSigner): unknown {
  if (!isJsonObject(item) || item["type"] !== "reasoning") return item;
  const { encrypted_content: content } = item;
  const own = typeof content === "string" ? signer.unseal(content, provider) : undefined;
  return own === undefined ? undefined : { ...item, encrypted_content: own };
}
