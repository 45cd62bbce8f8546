import { change } from "@tollgate/page-kit/api/client.ts";
import { expect, it } from "vitest";
import { operation } from "./operations.ts";

it("puts an id into the path as one segment", () => {
  expect(operation("GET", "/keys/:id", "a/b $&?")).toEqual({ method: "GET", path: "/keys/a%2Fb%20%24%26%3F" });
  expect(operation("POST", "/accounts/:id/credits", "acme").path).toBe("/accounts/acme/credits");
  expect(operation("GET", "/models").path).toBe("/models");
});

it("has the operations of the management API alone, as types", () => {
  const wrong = [
    // @ts-expect-error -- the path has no operation.
    () => operation("GET", "/acounts"),
    // @ts-expect-error -- the path has no operation with this method.
    () => operation("POST", "/accounts/:id", "acme"),
    // @ts-expect-error -- the id is missing.
    () => operation("GET", "/accounts/:id"),
    // @ts-expect-error -- the path has no id.
    () => operation("GET", "/accounts", "acme"),
    // @ts-expect-error -- the operation takes another body.
    () => change(operation("POST", "/keys/:id/rotate", "key_1"), { grace: 5 }),
  ];
  expect(wrong).toHaveLength(5);
});
