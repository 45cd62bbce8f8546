import { termsStoreContract } from "@tollgate/contract";
import { createClient } from "redis";
import { describe, inject, it } from "vitest";
import { redisTermsStore } from "./redis-terms-store.ts";

const url = inject("redis") ?? "";
const prefix = `custom-store-${crypto.randomUUID()}:`;

describe.skipIf(url === "")("the example of a custom store (needs Redis)", () => {
  termsStoreContract({
    test: { describe, it },
    async create() {
      const client = createClient({ url });
      await client.connect();
      return { store: redisTermsStore(client, prefix), close: () => client.close() };
    },
  });
});
