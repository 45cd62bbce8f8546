import { ProviderError, type ProviderFailure } from "@tollgate/core/provider";
import OpenAI, { APIError } from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { termsUnderTest } from "../support/gateway-under-test.ts";
import { openaiClient, say } from "./openai-client.ts";
import { type ServedGateway, serveGateway } from "./served-gateway.ts";

let served: ServedGateway;

beforeEach(async () => {
  served = await serveGateway();
});
afterEach(() => served.close());

type Request = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

/** Returns the error of a completion that is not charged. */
async function refusal(client: OpenAI, request: Request = {}): Promise<APIError> {
  const body = { model: "everyday", messages: say("Hello"), ...request };
  const error = await served.unpaid(() => client.chat.completions.create(body).catch((thrown: unknown) => thrown));
  if (!(error instanceof APIError)) throw new Error("The client did not throw an APIError.", { cause: error });
  return error;
}

describe("an error, as the official OpenAI client throws it", () => {
  it("is a BadRequestError that names the invalid field", async () => {
    const error = await refusal(await openaiClient(served), { messages: [] });
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({
      status: 400,
      code: "invalid_request",
      type: "invalid_request_error",
      param: "messages",
    });
    expect(error.message).toContain("at least one message");
  });

  it("has the request id, so that the host can find the request", async () => {
    const error = await refusal(await openaiClient(served), { model: "nothing" });
    expect(served.under.events).toContainEqual(
      expect.objectContaining({ type: "request.refused", requestId: error.requestID }),
    );
  });

  it("is a BadRequestError for fields without a price, and for fields that the provider rejects", async () => {
    const client = await openaiClient(served);
    expect(await refusal(client, { service_tier: "priority" })).toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param: "service_tier",
    });
    served.scripted.script = failing("rejected", { clientMessage: "Temperature is too high.", param: "temperature" });
    const error = await refusal(client, { model: "scripted" });
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ message: "400 Temperature is too high.", param: "temperature" });
  });

  it("is an AuthenticationError for a key that is missing, unknown, expired or revoked", async () => {
    const expired = await served.key({ expiresAt: new Date(Date.now() - 1_000) });
    const { key, secret } = await served.under.keys.create({ account: "acme", plan: "prepaid" });
    await served.under.keys.revoke(key.id);
    for (const [apiKey, code] of [
      ["unknown", "invalid_api_key"],
      [expired, "expired_api_key"],
      [secret, "revoked_api_key"],
    ] as const) {
      const error = await refusal(await openaiClient(served, { apiKey }));
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(error).toMatchObject({ status: 401, code, type: "authentication_error" });
    }
    const keyless = (await openaiClient(served)).withOptions({ defaultHeaders: { authorization: null } });
    expect(await refusal(keyless)).toMatchObject({ status: 401, code: "missing_api_key" });
  });

  it("is an APIError with 402 for an empty balance, which names the affordable tokens", async () => {
    const client = await openaiClient(served, { apiKey: await served.key({ account: "poor" }), maxRetries: 2 });
    const error = await refusal(client, { max_completion_tokens: 100 });
    expect(error).toMatchObject({ status: 402, code: "insufficient_balance", type: "insufficient_balance" });
    expect(error.error).toMatchObject({ metadata: { available: "0" } });
    expect(served.arrived()).toBe(1);
    await expect(client.models.list()).rejects.toMatchObject({ status: 402 });
  });

  it("is a PermissionDeniedError for a feature that the plan lacks", async () => {
    const client = await openaiClient(served, { apiKey: await served.key({ plan: "subscription" }) });
    const error = await refusal(client, { response_format: { type: "json_object" } });
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, code: "feature_not_available", param: "response_format" });
  });

  it("is the same NotFoundError for a model that is unknown and for one that the key may not use", async () => {
    const client = await openaiClient(served, { apiKey: await served.key({ models: ["everyday"] }) });
    const unknown = await refusal(client, { model: "nothing" });
    const hidden = await refusal(client, { model: "thinker" });
    expect(unknown).toBeInstanceOf(OpenAI.NotFoundError);
    expect(unknown).toMatchObject({ status: 404, code: "model_not_found", type: "not_found_error" });
    expect(hidden.message.replace("thinker", "nothing")).toBe(unknown.message);
  });

  it("is a NotFoundError of the host for an unknown endpoint", async () => {
    const client = await openaiClient(served);
    await expect(client.moderations.create({ input: "Hello" })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("is a RateLimitError with the time to retry", async () => {
    const limits = { requests: { limit: 1, windowSeconds: 30 } };
    const client = await openaiClient(served, { apiKey: await served.key({ limits }) });
    await client.models.list();
    const error = await refusal(client);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ status: 429, code: "rate_limit_exceeded", type: "rate_limit_error" });
    expect(error.error).toMatchObject({ metadata: { limit: "requests" } });
    const header = (name: string) => Number(error.headers?.get(name));
    expect(header("x-ratelimit-limit")).toBe(1);
    expect(header("x-ratelimit-remaining")).toBe(0);
    expect(header("retry-after")).toBeGreaterThanOrEqual(29);
    expect(header("x-ratelimit-reset") - Date.now() / 1000).toBeCloseTo(header("retry-after"), -1);
  });

  it.each([
    ["failed", 502, "upstream_failed"],
    ["invalid_response", 502, "upstream_invalid_response"],
    ["credentials", 502, "upstream_rejected_credentials"],
    ["overloaded", 503, "upstream_overloaded"],
    ["unreachable", 503, "upstream_unavailable"],
    ["timeout", 503, "upstream_timeout"],
  ] as const)("is an InternalServerError when the provider's call is %s", async (failure, status, code) => {
    served.scripted.script = failing(failure);
    const error = await refusal(await openaiClient(served), { model: "scripted" });
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status, code });
    expect(error.message).not.toContain("secret-host");
  });

  it("is a masked InternalServerError with 500 for a configuration error of the host", async () => {
    const error = await refusal(await openaiClient(served, { apiKey: await served.key({ plan: "forgotten" }) }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 500, code: "internal_error", type: "api_error" });
    expect(error.message).not.toContain("forgotten");
  });
});

describe("an error of a gateway with other options, as the official OpenAI client throws it", () => {
  const reopen = async (options: Parameters<typeof serveGateway>[0]) => {
    await served.close();
    served = await serveGateway(options);
  };

  it("is an APIError with 413 for a body over the limit", async () => {
    await reopen({ maxBodyBytes: 2_000 });
    const error = await refusal(await openaiClient(served), { messages: say("x".repeat(3_000)) });
    expect(error).toMatchObject({ status: 413, code: "payload_too_large", type: "invalid_request_error" });
    expect(error.error).toMatchObject({ metadata: { limit_bytes: 2_000 } });
  });

  it("is an APIError with 428 until the terms are accepted, and is not retried", async () => {
    await reopen({ terms: termsUnderTest() });
    const client = await openaiClient(served, { maxRetries: 2 });
    const error = await refusal(client);
    expect(error).toMatchObject({ status: 428, error: "terms_acceptance_required" });
    expect(served.arrived()).toBe(1);
    await served.under.gateway.terms.accept("acme", "terms-2");
    const request = { model: "everyday", messages: say("Hello") };
    await served.paying(
      () => client.chat.completions.create(request),
      ({ usage }) => [usage],
    );
  });

  it("is an InternalServerError with 503 if a store is unavailable", async () => {
    const down = () => {
      throw new Error("The database at secret-host is down.");
    };
    await reopen({ keys: { find: down, get: down, onChange: () => () => undefined } });
    const error = await refusal(await openaiClient(served, { apiKey: "any" }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, code: "store_unavailable", type: "service_unavailable" });
    expect(Number(error.headers?.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(error.message).not.toContain("secret-host");
  });
});

function failing(failure: ProviderFailure, details: ConstructorParameters<typeof ProviderError>[2] = {}) {
  const fail = async () => {
    throw new ProviderError(failure, "The provider at secret-host failed.", details);
  };
  return { complete: fail };
}
