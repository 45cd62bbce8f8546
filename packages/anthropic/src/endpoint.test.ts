import { describe, expect, it } from "vitest";
import { anthropic } from "./anthropic.ts";
import { readEndpoint } from "./endpoint.ts";

const apiKey = "sk-ant-canary-4f9a1c77e2b84d10";

describe("readEndpoint", () => {
  it("reaches Anthropic when nothing else is said", () => {
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

  it("takes another address, version, betas and headers", () => {
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
    ["no URL", { baseURL: "api.anthropic.com/v1" }],
    ["a password in the URL", { baseURL: `https://user:${apiKey}@api.anthropic.com/v1` }],
    ["a key in the query", { baseURL: `https://api.anthropic.com/v1?key=${apiKey}` }],
    ["no key", { apiKey: "" }],
    ["a line break in the key", { apiKey: `${apiKey}\n` }],
    ["a cap of nothing", { maxTokens: 0 }],
  ])("refuses %s, without quoting the key", (_name, options) => {
    const build = () => anthropic({ apiKey, ...options });
    expect(build).toThrow(TypeError);
    expect(build).not.toThrow(new RegExp(apiKey));
  });

  it("names the option that is missing to a host without types", () => {
    expect(() => anthropic(JSON.parse("{}"))).toThrow("apiKey is missing");
  });
});
