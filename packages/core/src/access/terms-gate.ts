import { LRUCache } from "lru-cache";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { TermsAcceptance, TermsStore, TermsVersion } from "../ports/terms-store.ts";
import { atMost } from "../runtime/at-most.ts";
import type { Awaitable } from "../runtime/awaitable.ts";

/** The terms in force, and the versions of which an account must have accepted one: that version or any later one. */
export interface RequiredTerms {
  readonly version: TermsVersion;
  readonly acceptable: readonly string[];
}

/** Finds the terms in force and checks who has accepted them. It caches an acceptance, and a missing one for a second. */
export class TermsGate {
  readonly #store: TermsStore | undefined;
  readonly #versions: () => readonly TermsVersion[];
  readonly #timeoutMs: number;
  #required: RequiredTerms | undefined;
  #readVersions: readonly TermsVersion[] | undefined;
  #readUntil = 0;
  #acceptances = 0;
  /** By account, the first of the acceptable versions. It is also the version in force, which identifies the list. */
  readonly #accepted = new LRUCache<string, string>(atMost(100_000));
  readonly #refused = new LRUCache<string, true>(atMost(10_000, 1_000));

  constructor(store: TermsStore | undefined, versions: () => readonly TermsVersion[], timeoutMs: number) {
    this.#store = store;
    this.#versions = versions;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns all configured versions. */
  versions(): readonly TermsVersion[] {
    return this.#versions();
  }

  /** Returns the terms in force: the last version whose enforcement has begun. */
  required(): RequiredTerms | undefined {
    const versions = this.#versions();
    const now = Date.now();
    if (this.#readVersions !== versions || now >= this.#readUntil) {
      this.#required = findRequired(versions, now);
      this.#readVersions = versions;
      this.#readUntil = nextEnforcement(versions, now);
    }
    return this.#required;
  }

  /** Returns true if the cache knows that the account has accepted one of the versions. */
  hasCached(account: string, acceptable: readonly string[]): boolean {
    const [first] = acceptable;
    return first !== undefined && this.#accepted.get(account) === first;
  }

  /** Returns true if the account has accepted one of the versions, by the cache or the store. */
  accepted(account: string, acceptable: readonly string[]): Awaitable<boolean> {
    if (this.hasCached(account, acceptable)) return true;
    const id = `${acceptable[0]} ${account}`;
    if (this.#refused.get(id) === true || this.#store === undefined) return false;
    return this.#ask(this.#store, id, account, acceptable);
  }

  /** Records an acceptance, which this process applies at once. */
  async accept(account: string, versionId: string): Promise<TermsAcceptance> {
    const store = this.#store;
    if (store === undefined || !this.#versions().some(({ id }) => id === versionId)) {
      throw new Error(`The terms have no version "${versionId}". Pass the id of a version in \`terms.versions\`.`);
    }
    const acceptance = await callStoreWithTimeout(
      this.#timeoutMs,
      () => store.accept(account, versionId),
      (answer) => answer?.versionId === versionId,
    );
    this.#acceptances++;
    this.#refused.clear();
    return acceptance;
  }

  async #ask(store: TermsStore, id: string, account: string, acceptable: readonly string[]): Promise<boolean> {
    const acceptances = this.#acceptances;
    const acceptance = await callStoreWithTimeout(
      this.#timeoutMs,
      () => store.acceptance(account, acceptable),
      // A store written in JavaScript may return null.
      (answer) => answer == null || acceptable.includes(answer.versionId),
    );
    if (acceptance != null) this.#accepted.set(account, acceptable[0] ?? "");
    else if (acceptances === this.#acceptances) this.#refused.set(id, true);
    return acceptance != null;
  }
}

function findRequired(versions: readonly TermsVersion[], now: number): RequiredTerms | undefined {
  const index = versions.findLastIndex(({ enforcementAt }) => (enforcementAt?.getTime() ?? 0) <= now);
  const version = versions[index];
  return version && { version, acceptable: versions.slice(index).map(({ id }) => id) };
}

const nextEnforcement = (versions: readonly TermsVersion[], now: number): number =>
  Math.min(...versions.map(({ enforcementAt }) => enforcementAt?.getTime() ?? 0).filter((at) => at > now));

/** Makes the gate of the configured terms. A list is copied, so that a later change of it has no effect. */
export function termsGate(
  terms:
    | { readonly store: TermsStore; readonly versions: readonly TermsVersion[] | (() => readonly TermsVersion[]) }
    | undefined,
  timeoutMs: number,
): TermsGate {
  const versions = terms?.versions ?? [];
  if (typeof versions === "function") return new TermsGate(terms?.store, versions, timeoutMs);
  const fixed = structuredClone(versions);
  return new TermsGate(terms?.store, () => fixed, timeoutMs);
}
