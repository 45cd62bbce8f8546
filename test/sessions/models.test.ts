import { describe, expect, it } from "vitest";
import { assistantUnderTest } from "../support/assistant-under-test.ts";

const body = JSON.stringify({ assistant_id: "shop" });

/** Returns the responses to POST /session, and to a message in a session of another key. */
async function responsesFor(keyOptions: object, options: Parameters<typeof assistantUnderTest>[0] = {}) {
  const under = await assistantUnderTest(options);
  try {
    under.think(() => ({ content: "Hello." }));
    const headers = { authorization: `Bearer ${await under.key(keyOptions)}`, "content-type": "application/json" };
    const created = await under.ask("POST", "", { body, headers });
    const id = crypto.randomUUID();
    const rest = { account: "acme", assistantId: "shop", clientData: {}, ttlMs: 60_000 };
    await under.sessions.create({ id, ...rest });
    const sent = await under.say(id, {}, { headers });
    return { created: [created.status, (await created.json()).error], sent: [sent.status, (await sent.json()).error] };
  } finally {
    await under.close();
  }
}

describe("a session with an assistant that the key may not use", () => {
  it("is rejected like its first message: the model", async () => {
    const { created, sent } = await responsesFor({ models: ["another"] });
    expect(created).toEqual(sent);
    expect(created).toEqual([404, expect.objectContaining({ code: "model_not_found" })]);
  });

  it("is rejected like its first message: the tools", async () => {
    const { created, sent } = await responsesFor({ features: [] });
    expect(created).toEqual(sent);
    expect(created).toEqual([
      403,
      expect.objectContaining({ code: "feature_not_available", metadata: { scope: "key" } }),
    ]);
  });

  it("is rejected like its first message: the response format", async () => {
    const settings = { response_format: { type: "json_object" } };
    const { created, sent } = await responsesFor({ features: ["tools"] }, { assistant: () => ({ settings }) });
    expect(created).toEqual(sent);
    expect(created).toEqual([403, expect.objectContaining({ param: "response_format" })]);
  });

  it("is created and answered for a key that may use it, whatever its dialects", async () => {
    const { created, sent } = await responsesFor({ models: ["plain"], features: ["tools"], dialects: [] });
    expect([created, sent]).toEqual([
      [201, undefined],
      [200, undefined],
    ]);
  });
});
