import type { ApiKey, KeyStore } from "@tollgate/core/store";

interface Customers {
  byToken(token: string): Promise<{ readonly id: string; readonly blockedAt?: Date } | undefined>;
}

/** Uses the tokens that a host already issues as API keys. */
export function customerKeys(customers: Customers): KeyStore {
  return {
    async find(presented): Promise<ApiKey | undefined> {
      const customer = await customers.byToken(presented);
      return (
        customer && {
          id: customer.id,
          account: customer.id,
          plan: "prepaid",
          lastFour: presented.slice(-4),
          createdAt: new Date(0),
          ...(customer.blockedAt && { revokedAt: customer.blockedAt }),
        }
      );
    },
    onChange: () => () => undefined,
  };
}
