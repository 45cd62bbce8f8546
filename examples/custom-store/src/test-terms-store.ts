import { type TestRunner, termsStoreContract } from "@tollgate/contract";
import { createClient } from "redis";
import { redisTermsStore } from "./redis-terms-store.ts";

/** Registers the contract suite with a test runner: `testTermsStore({ describe, it }, "redis://127.0.0.1:6379")`. */
export function testTermsStore(test: TestRunner, url: string): void {
  const prefix = `terms-store-test-${crypto.randomUUID()}:`;
  termsStoreContract({
    test,
    async create() {
      const client = createClient({ url });
      await client.connect();
      return { store: redisTermsStore(client, prefix), close: () => client.close() };
    },
  });
}
