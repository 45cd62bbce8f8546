import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../../errors/error-table.ts";
import { GatewayError, type GatewayErrorDetails } from "../../../errors/gateway-error.ts";
import { renderError } from "../../../http/render-error.ts";
import { messagesErrors } from "./messages-errors.ts";

function render(code: ErrorCode, details: GatewayErrorDetails = {}, headers: Readonly<Record<string, string>> = {}) {
  const error = new GatewayError(code, "What is wrong.", details);
  const rendered = renderError(error, { "x-request-id": "req_1", ...headers }, messagesErrors);
  return { ...rendered, body: JSON.parse(String(rendered.body)) };
}

describe("messagesErrors", () => {
  it.each<[ErrorCode, number, string]>([
    ["invalid_json", 400, "invalid_request_error"],
    ["invalid_api_key", 401, "authentication_error"],
    ["insufficient_balance", 402, "billing_error"],
    ["feature_not_available", 403, "permission_error"],
    ["model_not_found", 404, "not_found_error"],
    ["request_timeout", 408, "invalid_request_error"],
    ["payload_too_large", 413, "request_too_large"],
    ["rate_limit_exceeded", 429, "rate_limit_error"],
    ["internal_error", 500, "api_error"],
    ["upstream_failed", 502, "api_error"],
    ["over_capacity", 503, "api_error"],
    ["upstream_overloaded", 529, "overloaded_error"],
  ])("renders %s as %i %s", (code, status, type) => {
    const rendered = render(code);
    expect(rendered.status).toBe(status);
    expect(rendered.body).toEqual({ type: "error", error: { type, message: "What is wrong." }, request_id: "req_1" });
    expect(rendered.headers["request-id"]).toBe("req_1");
  });

  it("keeps the members of a refusal for the terms beside the error", () => {
    const body = {
      error: "terms_acceptance_required",
      versionId: "terms-2",
      version: "2.0",
      acceptUrl: "https://a.test",
    };
    expect(render("terms_acceptance_required", { body })).toMatchObject({
      status: 428,
      body: { ...body, type: "error", error: { type: "invalid_request_error", message: "What is wrong." } },
    });
  });

  const state = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000" };

  it.each(["requests", "tokens"])("shows the limit of %s that was exceeded", (limit) => {
    const { headers } = render("rate_limit_exceeded", { headers: state, metadata: { limit } });
    expect(headers).toMatchObject({
      ...state,
      [`anthropic-ratelimit-${limit}-limit`]: "10",
      [`anthropic-ratelimit-${limit}-remaining`]: "0",
      [`anthropic-ratelimit-${limit}-reset`]: "2023-11-14T22:13:20Z",
    });
  });

  it("shows no limit that Anthropic has not, and the limit of requests in other errors", () => {
    const names = (headers: object) => Object.keys(headers).filter((name) => name.startsWith("anthropic-"));
    expect(
      names(render("rate_limit_exceeded", { headers: state, metadata: { limit: "concurrency" } }).headers),
    ).toEqual([]);
    expect(names(render("model_not_found", {}, state).headers)).toHaveLength(3);
    expect(names(render("model_not_found").headers)).toEqual([]);
  });
});
