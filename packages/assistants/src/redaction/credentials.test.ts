import { describe, expect, it } from "vitest";
import { hideBodyCredentials } from "./credentials.ts";

const hide = (body: Parameters<typeof hideBodyCredentials>[0]) => hideBodyCredentials(body, "[redacted]");

describe("a configured body", () => {
  it("is shown without its members whose names mark a credential, at any depth", () => {
    const body = {
      api_key: "sk-1",
      order: "$number",
      login: [{ user: "shop", Password: 12_345 }],
      auth: { user: "shop", value: "v" },
    };
    expect(hide(body)).toEqual({
      api_key: "[redacted]",
      order: "$number",
      login: [{ user: "shop", Password: "[redacted]" }],
      auth: "[redacted]",
    });
    expect(body.api_key).toBe("sk-1");
  });

  it("shows a credential that is one variable", () => {
    const body = { token: "Bearer $shop_key", secret: "$shop.key" };
    expect(hide(body)).toEqual(body);
  });

  it("may be a text that is JSON only with its variables", () => {
    const text =
      '{"urls": $images, "api_key" : "sk-\\"1\\"", "pass":-12, "token": $token, "key": "$key", "a": "token"}';
    expect(hide(text)).toBe(
      '{"urls": $images, "api_key" : "[redacted]", "pass":"[redacted]", "token": $token, "key": "$key", "a": "token"}',
    );
  });
});
