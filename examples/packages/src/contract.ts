import { describe, it } from "node:test";
import { termsStoreContract } from "@tollgate/contract";
import { memoryTermsStore } from "@tollgate/core";

termsStoreContract({
  test: { describe, it },
  create: async () => ({ store: memoryTermsStore(), close: async () => undefined }),
});
