import { describe, inject, it } from "vitest";
import { testTermsStore } from "../../examples/custom-store/src/test-terms-store.ts";

const url = inject("redis");

describe.skipIf(url === undefined)("the example of a custom store (needs Redis)", () => {
  testTermsStore({ describe, it }, url ?? "");
});
