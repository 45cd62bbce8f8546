import type { ApiKey, KeyStore } from "@tollgate/core/store";

interface Customer {
  readonly id: string;
  readonly lastFourOfToken: string;
  readonly blockedAt?: Date;
}

interface Customers {
  byToken(token: string): Promise<Customer | undefined>;
  byId(id: string): Promise<Customer | undefined>;
}

/** Uses the tokens that a host already issues as API keys. */
export function customerKeys(customers: Customers): KeyStore {
  return {
    find: async (presented) => keyOf(await customers.byToken(presented)),
    get: async (keyId) => keyOf(await customers.byId(keyId)),
    onChange: () => () => undefined,
  };
}

function keyOf(customer: Customer | undefined): ApiKey | undefined {
  return (
    customer && {
      id: customer.id,
      account: customer.id,
      plan: "prepaid",
      lastFour: customer.lastFourOfToken,
      createdAt: new Date(0),
      ...(customer.blockedAt && { revokedAt: customer.blockedAt }),
    }
  );
}
