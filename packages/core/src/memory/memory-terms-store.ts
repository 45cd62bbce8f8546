import type { TermsAcceptance, TermsStore } from "../ports/terms-store.ts";

/** Returns a TermsStore in the memory of this process, for development and tests. Acceptances are lost at exit. */
export function memoryTermsStore(): TermsStore {
  return new MemoryTermsStore();
}

class MemoryTermsStore implements TermsStore {
  readonly #accounts = new Map<string, Map<string, TermsAcceptance>>();

  accept(account: string, versionId: string): TermsAcceptance {
    const accepted = this.#accounts.get(account) ?? new Map<string, TermsAcceptance>();
    this.#accounts.set(account, accepted);
    const acceptance = accepted.get(versionId) ?? { account, versionId, acceptedAt: new Date() };
    accepted.set(versionId, acceptance);
    return acceptance;
  }

  acceptance(account: string, versionIds: readonly string[]): TermsAcceptance | undefined {
    const accepted = this.#accounts.get(account);
    const found = versionIds.find((versionId) => accepted?.has(versionId));
    return found === undefined ? undefined : accepted?.get(found);
  }
}
