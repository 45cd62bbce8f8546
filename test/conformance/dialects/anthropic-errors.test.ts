import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canary } from "../../routing/script.ts";
import { termsUnderTest } from "../../support/gateway-under-test.ts";
import type { Fault } from "../../upstream/fault.ts";
import { answers } from "./answers.ts";
import { costOf, type DialectGateway, models, serveDialects } from "./dialect-gateway.ts";

let served: DialectGateway;

beforeEach(async () => {
  served = await serveDialects();
});
afterEach(() => served.close());

const failWith = (fault: Fault) => {
  served.upstream.reply = () => ({ answer: answers.text, fault });
};

/** Returns the error that a small request throws. */
async function refusal(client: Anthropic, more: object = {}): Promise<InstanceType<typeof Anthropic.APIError>> {
  const request = { model: models.messages, max_tokens: 100, messages: [{ role: "user" as const, content: "Hello" }] };
  const error = await client.messages.create({ ...request, ...more }).catch((thrown: unknown) => thrown);
  if (!(error instanceof Anthropic.APIError)) throw new Error("The call did not throw an APIError.", { cause: error });
  return error;
}

const shapeOf = (type: string) => ({
  type: "error",
  error: { type, message: expect.stringMatching(/\.$/) },
  request_id: expect.any(String),
});

describe("an error, as the official Anthropic client throws it", () => {
  it("is an AuthenticationError for a wrong key", async () => {
    const error = await refusal(await served.anthropic({ apiKey: "wrong" }));
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(error.error).toEqual(shapeOf("authentication_error"));
    expect(error.requestID).toMatch(/^req_/);
  });

  it("is an AuthenticationError for two different keys at once", async () => {
    const error = await refusal(await served.anthropic({ defaultHeaders: { authorization: "Bearer another" } }));
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
  });

  it.each([
    ["a missing model", { model: undefined }],
    ["no messages", { messages: [] }],
    ["an unknown role", { messages: [{ role: "tool", content: "Hello" }] }],
    ["no max_tokens", { max_tokens: undefined }],
  ])("is a BadRequestError for %s", async (_what, more) => {
    const error = await refusal(await served.anthropic(), more);
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error.error).toEqual(shapeOf("invalid_request_error"));
    expect(served.upstream.requests).toHaveLength(0);
  });

  it("is a NotFoundError for an unknown model", async () => {
    const error = await refusal(await served.anthropic(), { model: "nothing" });
    expect(error).toBeInstanceOf(Anthropic.NotFoundError);
    expect(error.error).toEqual(shapeOf("not_found_error"));
    const retrieved = await (await served.anthropic()).models.retrieve("nothing").catch((thrown: unknown) => thrown);
    expect(retrieved).toBeInstanceOf(Anthropic.NotFoundError);
  });

  it("is an error with 402 for an empty balance", async () => {
    const { secret } = await served.under.keys.create({ account: "poor", plan: "prepaid" });
    const error = await refusal(await served.anthropic({ apiKey: secret }));
    expect(error).toMatchObject({ status: 402, type: "billing_error" });
    expect(error.error).toMatchObject(shapeOf("billing_error"));
  });

  it("is a RateLimitError with the time to retry", async () => {
    const limits = { requests: { limit: 1, windowSeconds: 30 } };
    const { secret } = await served.under.keys.create({ account: "acme", plan: "prepaid", limits });
    const client = await served.anthropic({ apiKey: secret });
    await client.messages.create({
      model: models.chat,
      max_tokens: 10,
      messages: [{ role: "user", content: "Hello" }],
    });
    const error = await refusal(client);
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect(error.error).toMatchObject(shapeOf("rate_limit_error"));
    expect(Number(error.headers?.get("retry-after"))).toBeGreaterThanOrEqual(29);
    expect(error.headers?.get("anthropic-ratelimit-requests-limit")).toBe("1");
    expect(error.headers?.get("anthropic-ratelimit-requests-remaining")).toBe("0");
  });

  it.each([models.messages, models.chat])("has the status and type of what failed upstream of %s", async (model) => {
    const client = await served.anthropic();
    for (const [status, expected, type] of [
      [400, 400, "invalid_request_error"],
      [401, 502, "api_error"],
      [413, 413, "request_too_large"],
      [429, 529, "overloaded_error"],
      [500, 502, "api_error"],
      [529, 529, "overloaded_error"],
    ] as const) {
      failWith({ kind: "status", status });
      const error = await refusal(client, { model });
      expect({ from: status, status: error.status, type: error.type }).toEqual({
        from: status,
        status: expected,
        type,
      });
      const shown = JSON.stringify([error.error, [...(error.headers ?? [])]]);
      for (const secret of [canary.key, canary.model, "gpu-7", "provider-"]) expect(shown).not.toContain(secret);
    }
    await served.expectCharged(0n);
  });

  it("has the terms that must be accepted beside its shape", async () => {
    await served.close();
    served = await serveDialects({ terms: termsUnderTest() });
    const error = await refusal(await served.anthropic());
    expect(error.status).toBe(428);
    expect(error.error).toMatchObject({
      ...shapeOf("permission_error"),
      error: { type: expect.any(String), message: expect.stringContaining("https://host.test/terms") },
      acceptUrl: "https://host.test/terms",
    });
  });
});

describe("retries of the official Anthropic client", () => {
  const request = { model: models.messages, max_tokens: 100, messages: [{ role: "user" as const, content: "Hello" }] };

  it("repeat what is overloaded, and are charged once", async () => {
    const client = await served.anthropic({ maxRetries: 1 });
    // The gateway itself makes three attempts.
    served.upstream.reply = (_request, before) =>
      before < 3 ? { answer: answers.text, fault: { kind: "status", status: 529 } } : { answer: answers.text };
    expect(await client.messages.create(request)).toMatchObject({ stop_reason: "end_turn" });
    expect(served.upstream.requests).toHaveLength(4);
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("do not repeat an invalid request", async () => {
    const client = await served.anthropic({ maxRetries: 2 });
    failWith({ kind: "status", status: 400 });
    expect(await refusal(client)).toBeInstanceOf(Anthropic.BadRequestError);
    expect(served.upstream.requests).toHaveLength(1);
  });
});

describe.each([models.messages, models.chat])("a broken stream of %s, with the official Anthropic client", (model) => {
  const request = { model, max_tokens: 100, messages: [{ role: "user" as const, content: "Hello" }] };

  it.each(["reset", "close", "garbage", "error event"] as const)(
    "throws after the content that arrived: %s",
    async (kind) => {
      failWith({ kind, before: "more content" });
      const texts: string[] = [];
      const stream = (await served.anthropic()).messages.stream(request).on("text", (text) => texts.push(text));
      const error = await stream.finalMessage().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Anthropic.APIError);
      expect(texts).toEqual(["Hé"]);
      expect(await served.lastText()).not.toContain("message_stop");
      expect(String(error)).not.toContain("gpu-7");
    },
  );

  it("aborts the upstream's call at once when the client leaves", async () => {
    served.upstream.reply = () => ({ answer: answers.text, fault: { kind: "hang", before: "more content" } });
    const stream = (await served.anthropic()).messages.stream(request);
    for await (const event of stream) if (event.type === "content_block_delta") break;
    await served.upstream.last().closed;
    expect(served.upstream.last().wasAborted).toBe(true);
  });
});
