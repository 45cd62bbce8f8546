import type { ProviderAdapter } from "../../../ports/provider-adapter.ts";
import { isJsonObject } from "../../../wire/json.ts";

/**
 * Encrypted reasoning can be read only by the account that made it, and names nothing that tells the account. So the
 * gateway writes the provider before it, and sends it to that provider alone. Two providers of one name are taken for the
 * same account.
 */
const mark = /^tg1-([0-9a-f]{8})-(.*)$/s;

/** Returns an encrypted content as clients get it, with the provider that made it. */
export const seal = (content: string, provider: Pick<ProviderAdapter, "name">): string =>
  `tg1-${hashOf(provider.name)}-${content}`;

/** Returns the encrypted content that a provider made, or undefined if another one made it. */
export function unseal(content: string, provider: Pick<ProviderAdapter, "name">): string | undefined {
  const [, hash, inside] = mark.exec(content) ?? [];
  return hash === hashOf(provider.name) ? inside : undefined;
}

/** Returns an output item of a provider with its encrypted content sealed. */
export function sealItem(item: unknown, provider: Pick<ProviderAdapter, "name">): unknown {
  if (!isJsonObject(item) || typeof item["encrypted_content"] !== "string") return item;
  return { ...item, encrypted_content: seal(item["encrypted_content"], provider) };
}

/**
 * Returns an input item as a provider gets it: encrypted content as the provider made it. Undefined for the reasoning of
 * others, which a provider that stores nothing cannot find either.
 */
export function unsealItem(item: unknown, provider: Pick<ProviderAdapter, "name">): unknown {
  if (!isJsonObject(item) || item["type"] !== "reasoning") return item;
  const { encrypted_content: content } = item;
  const own = typeof content === "string" ? unseal(content, provider) : undefined;
  return own === undefined ? undefined : { ...item, encrypted_content: own };
}

/** FNV-1a with 32 bits, as eight hexadecimal digits. It only tells the host's own providers apart. */
function hashOf(name: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
