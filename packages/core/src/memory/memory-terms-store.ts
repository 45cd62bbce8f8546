import { checkedAcceptanceQuery, checkedAccount, checkedId } from "../ports/check-arguments.ts";
import type { AcceptancePage, AcceptancePosition, TermsAdmin } from "../ports/terms-admin.ts";
import type { TermsAcceptance, TermsStore } from "../ports/terms-store.ts";
import { compareBytes } from "../wire/bytes.ts";
import { nextOf } from "./pages.ts";

/** Returns a TermsStore and TermsAdmin in the memory of this process, for development and tests. Acceptances are lost at exit. */
export function memoryTermsStore(): TermsStore & TermsAdmin {
  return new MemoryTermsStore();
}

class MemoryTermsStore implements TermsStore, TermsAdmin {
  readonly #accounts = new Map<string, Map<string, TermsAcceptance>>();

  accept(account: string, versionId: string): TermsAcceptance {
    checkedAccount(account);
    checkedId("versionId", versionId);
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

  listAcceptances(query: Parameters<TermsAdmin["listAcceptances"]>[0]): AcceptancePage {
    const { account, versionId, limit, after } = checkedAcceptanceQuery(query);
    const rest = [...this.#accounts.values()]
      .flatMap((accepted) => [...accepted.values()])
      .filter((each) => account === undefined || each.account === account)
      .filter((each) => versionId === undefined || each.versionId === versionId)
      .filter((each) => after === undefined || byPosition(each, after) > 0)
      .sort(byPosition);
    const acceptances = rest.slice(0, limit);
    return { acceptances, ...nextOf(acceptances, rest.length, ({ account, versionId }) => ({ account, versionId })) };
  }
}

const byPosition = (a: AcceptancePosition, b: AcceptancePosition): number =>
  compareBytes(a.account, b.account) || compareBytes(a.versionId, b.versionId);
