import { management } from "@tollgate/management";
import { expect, it } from "vitest";
import { managementRoutes } from "../../packages/management/src/route-table.ts";
import { authorizeTokens, memoryStores } from "../management/scene.ts";
import { page, tokensUnderTest } from "../support/tokens-under-test.ts";

it("the management API takes a token for no operator, at any route", async () => {
  const { keys, balances, gateway, token } = await tokensUnderTest();
  const stores = { ...memoryStores(), keys, balances };
  const api = management({ gateway, stores, authorize: authorizeTokens, origins: [page] });
  const made = await token({ scopes: ["inference", "account:read"] });
  const statuses = await Promise.all(
    managementRoutes.map(async ({ method, path }) => {
      const url = `http://host.test${path.replace(/:id|\*$/, "some-id")}`;
      const headers = { authorization: `Bearer ${made.token}`, origin: page, "content-type": "application/json" };
      const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
      return (await api.fetch(new Request(url, { method, headers, ...body }))).status;
    }),
  );
  expect(statuses.length).toBeGreaterThan(30);
  expect(new Set(statuses)).toEqual(new Set([401]));
});
