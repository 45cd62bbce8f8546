import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { managementRoutes } from "../../packages/dashboard/src/management/route-table.ts";
import { version } from "../../packages/dashboard/src/version.ts";
import { compileDocument, document } from "./open-api.ts";
import { setScene } from "./scene.ts";

describe("the OpenAPI document", () => {
  it("is served, and names every route once", async () => {
    await using scene = await setScene();
    const { json } = await scene.ask("GET", "/openapi.json", { as: "viewer" });
    expect(json).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
    const served = Object.entries<object>(Object(json).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = managementRoutes.map(({ method, path }) => `${method} ${path.replace(/:id|\*$/, "{id}")}`);
    expect(served.toSorted()).toEqual(routes.filter((route) => !route.endsWith("openapi.json")).toSorted());
    expect(new Set(managementRoutes.map(({ name }) => name)).size).toBe(managementRoutes.length);
  });

  it("has schemas that compile, with references that exist", () => {
    expect(compileDocument()).toBeGreaterThan(60);
    expect(JSON.stringify(document)).toContain('{"$ref":"#/components/schemas/Key"}');
    expect(JSON.stringify(document)).not.toContain("$defs");
  });

  it("has no problems by the recommended rules of Redocly", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-management-"));
    const ref = join(folder, "management.json");
    writeFileSync(ref, JSON.stringify(document));
    const problems = await lint({ ref, config: await createConfig({ extends: ["recommended"] }) });
    rmSync(folder, { recursive: true });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it("says what a request may contain", () => {
    const { get, post } = Object(document.paths["/keys"]);
    expect(get.parameters).toContainEqual({
      name: "state",
      in: "query",
      required: false,
      schema: { enum: ["active", "expired", "revoked"], type: "string" },
    });
    const { schema } = post.requestBody.content["application/json"];
    expect(schema).toMatchObject({ required: ["account", "plan"], additionalProperties: false });
    expect(schema.properties.spend).toMatchObject({
      properties: { limit: { type: "string", pattern: expect.any(String) } },
    });
  });
});

describe("the version", () => {
  it("is that of the package", () => {
    expect(JSON.parse(readFileSync("packages/dashboard/package.json", "utf8")).version).toBe(version);
  });
});
