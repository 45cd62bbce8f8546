import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { managementRoutes } from "../../packages/management/src/route-table.ts";
import { version } from "../../packages/management/src/version.ts";
import { compileDocument, document } from "./open-api.ts";

describe("the OpenAPI document", () => {
  it("names every route once", () => {
    expect(new Set(managementRoutes.map(({ name }) => name)).size).toBe(managementRoutes.length);
  });

  it("has schemas that compile, with references that exist", () => {
    expect(compileDocument()).toBeGreaterThan(60);
    expect(JSON.stringify(document)).toContain('{"$ref":"#/components/schemas/Key"}');
    expect(JSON.stringify(document)).not.toContain("$defs");
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
    expect(JSON.parse(readFileSync("packages/management/package.json", "utf8")).version).toBe(version);
  });
});
