import { checkedAccount, checkedId, type TermsAcceptance, type TermsStore } from "@tollgate/core/store";

/** The methods of a `redis` client that the store calls. The host creates, connects and closes the client. */
export interface HashClient {
  hSetNX(key: string, field: string, value: string): Promise<number>;
  hGet(key: string, field: string): Promise<string | null>;
  hmGet(key: string, fields: string[]): Promise<(string | null)[]>;
}

/** Keeps acceptances in one Redis hash per account. A client that is disconnected throws, which is an outage. */
export function redisTermsStore(client: HashClient, prefix = "acme:terms:"): TermsStore {
  return {
    async accept(account, versionId) {
      const key = prefix + checkedAccount(account);
      // One atomic command: the first date stays, however many processes accept at once.
      await client.hSetNX(key, checkedId("versionId", versionId), new Date().toISOString());
      const acceptedAt = await client.hGet(key, versionId);
      if (acceptedAt === null) throw new Error(`Redis lost ${key}. Set its maxmemory-policy to noeviction.`);
      return { account, versionId, acceptedAt: new Date(acceptedAt) };
    },
    async acceptance(account, versionIds): Promise<TermsAcceptance | undefined> {
      if (versionIds.length === 0) return undefined;
      const dates = await client.hmGet(prefix + account, [...versionIds]);
      for (const [index, versionId] of versionIds.entries()) {
        const date = dates[index];
        if (date != null) return { account, versionId, acceptedAt: new Date(date) };
      }
      return undefined;
    },
  };
}
