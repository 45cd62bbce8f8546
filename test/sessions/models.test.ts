import { describe, expect, it } from "vitest";
import { assistantUnderTest } from "../support/assistant-under-test.ts";

const body = JSON.stringify({ assistant_id: "shop" });

/** What POST /session and a first message of another key's session answer to a key. */
async function refusals(wanted: object, options: Parameters<typeof assistantUnderTest>[0] = {}) {
  const under = await assistantUnderTest(options);
  try {
    under.think(() => ({ content: "Hello." }));
    const headers = { authorization: `Bearer ${await under.key(wanted)}`, "content-type": "application/json" };
    const made = await under.ask("POST", "", { body, headers });
    const id = crypto.randomUUID();
    const rest = { account: "acme", assistantId: "shop", clientData: {}, ttlMs: 60_000 };
    await under.sessions.create({ id, ...rest });
    const said = await under.say(id, {}, { headers });
    return { made: [made.status, (await made.json()).error], said: [said.status, (await said.json()).error] };
  } finally {
    await under.close();
  }
}

describe("a session with an assistant that the key may not use", () => {
  it("is refused as its first message would be: the model", async () => {
    const { made, said } = await refusals({ models: ["another"] });
    expect(made).toEqual(said);
    expect(made).toEqual([404, expect.objectContaining({ code: "model_not_found" })]);
  });

  it("is refused as its first message would be: the tools", async () => {
    const { made, said } = await refusals({ features: [] });
    expect(made).toEqual(said);
    expect(made).toEqual([403, expect.objectContaining({ code: "feature_not_available", metadata: { scope: "key" } })]);
  });

  it("is refused as its first message would be: the response format", async () => {
    const settings = { response_format: { type: "json_object" } };
    const { made, said } = await refusals({ features: ["tools"] }, { assistant: () => ({ settings }) });
    expect(made).toEqual(said);
    expect(made).toEqual([403, expect.objectContaining({ param: "response_format" })]);
  });

  it("is made for a key that may use it", async () => {
    const { made, said } = await refusals({ models: ["plain"], features: ["tools"] });
    expect([made, said]).toEqual([
      [201, undefined],
      [200, undefined],
    ]);
  });
});
