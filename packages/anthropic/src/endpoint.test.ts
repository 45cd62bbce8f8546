import { describe, expect, it } from "vitest";
import { anthropic } from "./anthropic.ts";
import { readEndpoint } from "./endpoint.ts";

const apiKey = "sk-ant-canary-4f9a1c77e2b84d10";

describe("readEndpoint", () => {
  it("uses Anthropic's API by default", () => {
    const { url, headers } = readEndpoint({ apiKey });
    expect(url).toBe("https://api.anthropic.com/v1/messages");
    expect(headers).toEqual({
      "x-api-key": apiKey,
      "anthropic-version": "2023-06-01",
      "user-agent": "tollgate",
      "content-type": "application/json",
      "accept-encoding": "identity",
    });
  });

  it("accepts another base URL, version, betas and headers", () => {
    const { url, headers } = readEndpoint({
      apiKey,
      baseURL: "http://localhost:4000/anthropic/v1/",
      version: "2024-10-22",
      betas: ["a-2026-01-01", "b-2026-01-01"],
      headers: { "Anthropic-Workspace-Id": "wrkspc_1" },
    });
    expect(url).toBe("http://localhost:4000/anthropic/v1/messages");
    expect(headers).toMatchObject({
      "anthropic-version": "2024-10-22",
      "anthropic-beta": "a-2026-01-01,b-2026-01-01",
      "anthropic-workspace-id": "wrkspc_1",
    });
  });

  it.each([
    ["a base URL without a scheme", { baseURL: "api.anthropic.com/v1" }],
    ["a password in the URL", { baseURL: `https://user:${apiKey}@api.anthropic.com/v1` }],
    ["a key in the query", { baseURL: `https://api.anthropic.com/v1?key=${apiKey}` }],
    ["an empty key", { apiKey: "" }],
    ["a line break in the key", { apiKey: `${apiKey}\n` }],
    ["a cap of 0", { maxTokens: 0 }],
  ])("rejects %s without quoting the key", (_name, options) => {
    const build = () => anthropic({ apiKey, ...options });
    expect(build).toThrow(TypeError);
    expect(build).not.toThrow(new RegExp(apiKey));
  });

  it("accepts the names of fields that the host prices, and copies them", () => {
    const pricedFields = ["web_search"];
    const { capabilities } = anthropic({ apiKey, pricedFields });
    pricedFields.push("speed");
    expect(capabilities.pricedFields).toEqual(["web_search"]);
    expect(anthropic({ apiKey }).capabilities.pricedFields).toEqual([]);
  });

  it("names a missing option for untyped callers", () => {
    expect(() => anthropic(JSON.parse("{}"))).toThrow("apiKey is missing");
  });
});
