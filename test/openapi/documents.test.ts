import { readFileSync } from "node:fs";
import { createConfig, lint } from "@redocly/openapi-core";
import { assistants } from "@tollgate/assistants";
import { sessionsApi } from "@tollgate/assistants/openapi";
import { createGateway, memoryBalanceStore, memoryKeyStore, memorySessionStore } from "@tollgate/core";
import { routerApi } from "@tollgate/core/openapi";
import { management } from "@tollgate/dashboard";
import managementApi from "@tollgate/management/openapi.json" with { type: "json" };
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { sessionsDocument } from "../../packages/assistants/schema/openapi/sessions-document.ts";
import { routerDocument } from "../../packages/core/schema/openapi/documents.ts";
import { describeApi } from "../../packages/management/src/openapi/describe-api.ts";
import { describedRoutes } from "../../packages/management/src/route-table.ts";

const gateway = createGateway({
  keys: memoryKeyStore(),
  balances: memoryBalanceStore(),
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [],
  openapi: routerApi,
  extensions: [assistants({ list: [], sessions: memorySessionStore(), runner: webhookRunner(), openapi: sessionsApi })],
});

/** Anyone is an operator here; only the management API asks who it is. */
const operated = management({ gateway, stores: {}, authorize: () => ({ actor: "ann", role: "viewer" }) });
/** Every document of the workspace with its mount. Add a row here for another one, and all checks below apply to it. */
const documents = [
  {
    file: "packages/core/src/http/openapi/router.json",
    committed: routerApi,
    generate: routerDocument,
    mounted: gateway,
  },
  {
    file: "packages/assistants/src/openapi/sessions.json",
    committed: sessionsApi,
    generate: sessionsDocument,
    mounted: gateway.sessions,
  },
  {
    file: "packages/management/openapi/management.json",
    committed: managementApi,
    generate: () => describeApi(describedRoutes),
    mounted: operated,
  },
];

describe.each(documents)("the OpenAPI document $file", ({ file, committed, generate, mounted }) => {
  it("is current: `node scripts/openapi.mjs` writes the same", () => {
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(generate(), undefined, 2)}\n`);
  });

  it("has the version 1.0.0 of the interface and OpenAPI 3.1", () => {
    expect(committed).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: "1.0.0" } });
  });

  it("has each endpoint of the mount, and no other", () => {
    const served = mounted.paths
      .filter(isMainPath)
      .flatMap((path) =>
        ["get", "post", "put", "patch", "delete"]
          .filter((method) => typeof mounted.endpoint(method.toUpperCase(), path) === "string")
          .map((method) => `${method} ${path.replace(/:id|\*/, "{id}")}`),
      );
    expect([...operationsIn(committed["paths"]), "get /openapi.json"].toSorted()).toEqual(served.toSorted());
  });

  it("has no problems by the recommended rules of Redocly", async () => {
    // The chunks of a stream are referred to by an extension, which the rule does not follow.
    const config = await createConfig({ extends: ["recommended"], rules: { "no-unused-components": "off" } });
    const problems = await lint({ ref: file, config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it("is served without a key of the gateway, with the path of the mount as its server", async () => {
    const at = { path: "/openapi.json", basePath: "/api/v2" };
    const response = await mounted.fetch(new Request("http://gateway.test/api/v2/openapi.json"), at);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ...committed, servers: [{ url: "/api/v2" }] });
  });
});

it("the document of the router has no codes of the sessions and of the management API", () => {
  const text = JSON.stringify(routerApi);
  for (const code of ["`session_busy`", "`session_not_found`", "`role_required`"]) expect(text).not.toContain(code);
  expect(text).toContain("`model_not_found`");
});

it("no document is served without the option", async () => {
  const { status } = await createGateway({
    keys: memoryKeyStore(),
    balances: memoryBalanceStore(),
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [],
  }).fetch(new Request("http://gateway.test/router/v1/openapi.json"));
  expect(status).toBe(404);
});

function operationsIn(paths: unknown): readonly string[] {
  if (typeof paths !== "object" || paths === null) throw new Error("The document has no paths.");
  return Object.entries(paths).flatMap(([path, operations]: [string, object]) =>
    Object.keys(operations)
      .filter((method) => method !== "parameters")
      .map((method) => `${method} ${path}`),
  );
}

/** Each endpoint is served below "/v1" too, which is not described again. */
function isMainPath(path: string): boolean {
  return !path.startsWith("/v1/");
}
