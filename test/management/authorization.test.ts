import { management } from "@tollgate/dashboard";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";

describe("the authorization of the management API", () => {
  it("is required", () => {
    const { gateway } = gatewayUnderTest();
    const options = { gateway };
    // @ts-expect-error -- A host without types may leave it out.
    expect(() => management(options)).toThrow("pass `authorize`");
  });
});
