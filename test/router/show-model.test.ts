import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest, termsUnderTest } from "../support/gateway-under-test.ts";

async function show({ gateway }: GatewayUnderTest, secret: string, id: string) {
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await gateway.fetch(new Request(`http://gateway.test/router/v1/models/${id}`, { headers }));
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe("GET /models/{id}", () => {
  it("returns the entry of the list", async () => {
    const tested = gatewayUnderTest();
    const secret = await tested.key();
    const list = await (await tested.models(secret)).json();
    const { status, headers, body } = await show(tested, secret, "thinker");
    expect([status, body]).toEqual([200, list.data[1]]);
    expect(body).toMatchObject({ id: "thinker", object: "model", reasoning: { default_effort: "low" } });
    expect(headers.get("x-ratelimit-remaining")).toBe("998");
  });

  it("returns the same error for an unknown model and for one that the key may not use", async () => {
    const tested = gatewayUnderTest();
    const secret = await tested.key({ models: ["plain"] });
    const texts = await Promise.all(["thinker", "unknown"].map((id) => show(tested, secret, id)));
    const [forbidden, unknown] = texts.map(({ status, body }) => ({
      status,
      ...body.error,
      message: body.error.message.replace(/`.*`/, "`x`"),
    }));
    expect(forbidden).toEqual(unknown);
    expect(unknown).toMatchObject({ status: 404, code: "model_not_found", type: "not_found_error", param: "model" });
  });

  it.each(["%", "%E0%A4%A", "__proto__", "constructor", "a%00b", "..%2F..%2Fetc"])("answers 404 for %s", async (id) => {
    const tested = gatewayUnderTest();
    const { status, body } = await show(tested, await tested.key(), id);
    expect([status, body.error.code]).toEqual([404, "model_not_found"]);
  });

  it("rejects a wrong key, an empty balance, and terms that are not accepted, as the list does", async () => {
    const tested = gatewayUnderTest({ terms: termsUnderTest() });
    expect((await show(tested, "tg_wrong", "plain")).status).toBe(401);
    expect((await show(tested, await tested.key(), "plain")).status).toBe(428);
    const poor = gatewayUnderTest();
    expect((await show(poor, await poor.key({ account: "poor" }), "plain")).status).toBe(402);
  });

  it("leaves no request in flight", async () => {
    const tested = gatewayUnderTest();
    const secret = await tested.key();
    for (const id of ["plain", "unknown"]) await show(tested, secret, id);
    expect(tested.gateway.inFlight()).toBe(0);
  });
});

describe("a 428", () => {
  it.each([
    ["GET", "/models", undefined],
    ["GET", "/models/plain", undefined],
    ["POST", "/chat/completions", { model: "plain", messages: [{ role: "user", content: "Hello" }] }],
    ["POST", "/chat/completions", { model: "plain", messages: [{ role: "user", content: "Hello" }], stream: true }],
  ])("of %s %s has the URL of the terms in its message", async (method, path, body) => {
    const { gateway, key } = gatewayUnderTest({ terms: termsUnderTest() });
    const init = { method, headers: { authorization: `Bearer ${await key()}` }, body: JSON.stringify(body) ?? null };
    const answer = await gateway.fetch(new Request(`http://gateway.test/router/v1${path}`, init));
    const { acceptUrl, message, error } = await answer.json();
    expect([answer.status, error, acceptUrl]).toEqual([428, "terms_acceptance_required", "https://host.test/terms"]);
    expect(message).toContain(`Accept them at ${acceptUrl} `);
  });
});
