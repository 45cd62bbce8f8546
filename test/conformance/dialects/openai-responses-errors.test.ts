import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canary } from "../../routing/script.ts";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";
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

async function refusal(client: OpenAI, more: object = {}): Promise<InstanceType<typeof OpenAI.APIError>> {
  const request = { model: models.responses, input: "Hello", stream: false as const };
  const error = await client.responses.create({ ...request, ...more }).catch((thrown: unknown) => thrown);
  if (!(error instanceof OpenAI.APIError)) throw new Error("The call did not throw an APIError.", { cause: error });
  return error;
}

describe("an error of Responses, as the official OpenAI client throws it", () => {
  it.each([
    ["AuthenticationError", "a wrong key", { apiKey: "wrong" }, {}, "invalid_api_key"],
    ["BadRequestError", "a missing model", {}, { model: undefined }, "invalid_request"],
    [
      "BadRequestError",
      "an item of no known type",
      {},
      { model: models.chat, input: [{ type: "nothing" }] },
      "unsupported_parameter",
    ],
    ["BadRequestError", "a conversation", {}, { conversation: "conv_1" }, "unsupported_parameter"],
    ["BadRequestError", "a response in the background", {}, { background: true }, "unsupported_parameter"],
    ["NotFoundError", "an unknown model", {}, { model: "nothing" }, "model_not_found"],
  ] as const)("is a %s for %s", async (name, _what, options, more, code) => {
    const error = await refusal(await served.openai(options), more);
    expect(error).toBeInstanceOf(OpenAI[name]);
    expect(error).toMatchObject({ code, requestID: expect.stringMatching(/^req_/) });
    expect(error.message).toMatch(/\.$/);
    expect(served.upstream.requests).toHaveLength(0);
  });

  it("is a BadRequestError for a response that was not kept", async () => {
    const error = await refusal(await served.openai(), { previous_response_id: "resp_unknown" });
    expect(error).toMatchObject({ status: expect.toSatisfy((status) => status === 400 || status === 404) });
    expect(served.upstream.requests).toHaveLength(0);
  });

  it.each([models.responses, models.chat])("has the status and code of what failed upstream of %s", async (model) => {
    const client = await served.openai();
    for (const [status, expected, code] of [
      [400, 400, "invalid_request"],
      [401, 502, "upstream_rejected_credentials"],
      [413, 413, "payload_too_large"],
      [429, 503, "upstream_overloaded"],
      [500, 502, "upstream_failed"],
    ] as const) {
      failWith({ kind: "status", status });
      const error = await refusal(client, { model });
      expect({ from: status, status: error.status, code: error.code }).toEqual({
        from: status,
        status: expected,
        code,
      });
      const shown = JSON.stringify([error.error, [...(error.headers ?? [])]]);
      for (const secret of [canary.key, canary.model, "gpu-7", "provider-"]) expect(shown).not.toContain(secret);
    }
    await served.expectCharged(0n);
  });

  it("is retried when the upstream is overloaded, and is charged once", async () => {
    served.upstream.reply = (_request, before) =>
      before < 3 ? { answer: answers.text, fault: { kind: "status", status: 503 } } : { answer: answers.text };
    const client = await served.openai({ maxRetries: 1 });
    expect(await client.responses.create({ model: models.responses, input: "Hello" })).toMatchObject({
      status: "completed",
    });
    await served.expectCharged(costOf(answers.text.tokens));
  });
});

describe.each([models.responses, models.chat])("a broken stream of %s, with the official OpenAI client", (model) => {
  const request = { model, input: "Hello", stream: true } as const;

  it.each(["reset", "close", "garbage", "error event"] as const)(
    "ends as failed after what arrived: %s",
    async (kind) => {
      failWith({ kind, before: "more content" });
      const client = await served.openai();
      const texts: string[] = [];
      const types: string[] = [];
      const read = async () => {
        for await (const event of await client.responses.create(request)) {
          types.push(event.type);
          if (event.type === "response.output_text.delta") texts.push(event.delta);
        }
      };
      const error = await read().catch((thrown: unknown) => thrown);
      expect(texts).toEqual(["Hé"]);
      expect(types).not.toContain("response.completed");
      expect(error instanceof OpenAI.APIError || types.at(-1) === "response.failed").toBe(true);
      const text = await served.lastText();
      expect(checkResponsesOrder(text)).toBe("error");
      for (const secret of [canary.key, canary.model, "gpu-7", "provider-"]) expect(text).not.toContain(secret);
    },
  );

  it("aborts the upstream's call at once when the client leaves", async () => {
    failWith({ kind: "hang", before: "more content" });
    const client = await served.openai({ fetch });
    // Without a summary, the model hides its reasoning, and its answer would be read on for the usage.
    const stream = await client.responses.create({ ...request, reasoning: { summary: "auto" } });
    for await (const event of stream) if (event.type === "response.output_text.delta") break;
    await served.upstream.last().closed;
    expect(served.upstream.last().wasAborted).toBe(true);
  });
});
