import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";

const secret = "canary-secret-4711";
let under: AssistantUnderTest;

beforeEach(async () => {
  under = await assistantUnderTest({
    assistant: ({ host, url }) => ({
      triggers: [
        {
          name: "find_order",
          parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
          webhook: {
            type: "WEBHOOK",
            url: `${url}/orders/$number?customer=$customer&key=$shop_key`,
            method: "POST",
            headers: [
              { key: "authorization", value: "Bearer $shop_key" },
              { key: "x-trace", value: "$session.id $shop_key" },
            ],
            body: { pictures: "$images", key: "$shop_key" },
          },
        },
        {
          name: "ask_tenant",
          parameters: { type: "object", properties: {} },
          webhook: {
            type: "WEBHOOK",
            url: "https://$shop_key.invalid/",
            method: "GET",
            hostVariables: [`${secret}.invalid`, host],
          },
        },
      ],
    }),
  });
});

afterEach(() => under.close());

describe("a dry run", () => {
  it("returns the rendered request without secrets, and sends nothing", async () => {
    const session = { clientData: { customer: "Ann" }, images: ["https://pictures.test/1.png"] };
    const result = await under.gateway.dryRun({
      assistant: "shop",
      trigger: "find_order",
      arguments: { number: 7 },
      session,
    });
    expect(result).toMatchObject({
      outcome: "rendered",
      request: {
        method: "POST",
        url: `${under.target.url}/orders/7?customer=Ann&key=[redacted]`,
        headers: [
          ["authorization", "[redacted]"],
          ["x-trace", expect.stringMatching(/^[0-9a-f-]{36} \[redacted\]$/)],
        ],
        body: '{"pictures":["https://pictures.test/1.png"],"key":"[redacted]"}',
      },
      target: { allowed: true },
    });
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(under.target.received).toEqual([]);
  });

  it("uses the client data of an existing session of the same account", async () => {
    const id = await under.session({ customer: "Bob" });
    const run = { assistant: "shop", trigger: "find_order", arguments: { number: 7 } };
    const result = await under.gateway.dryRun({ ...run, session: { id, account: "acme" } });
    expect(result).toMatchObject({ outcome: "rendered", request: { url: expect.stringContaining("customer=Bob") } });
    await expect(under.gateway.dryRun({ ...run, session: { id, account: "other" } })).rejects.toThrow("no session");
  });

  it("returns the error for a call that would not be sent", async () => {
    const run = { assistant: "shop", trigger: "find_order" };
    expect(await under.gateway.dryRun({ ...run, arguments: {} })).toMatchObject({
      outcome: "refused",
      error: { code: "invalid_arguments" },
    });
    expect(await under.gateway.dryRun({ ...run, arguments: { number: 1 } })).toMatchObject({
      outcome: "refused",
      error: { code: "unresolved_variable", message: expect.stringContaining('"customer"') },
    });
  });

  it("redacts secrets in the runner's result for the target", async () => {
    const result = await under.gateway.dryRun({ assistant: "shop", trigger: "ask_tenant", arguments: {} });
    expect(result).toMatchObject({ outcome: "rendered", target: { allowed: false } });
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  it("rejects for an unknown assistant or trigger", async () => {
    const named = (assistant: string, trigger: string) => under.gateway.dryRun({ assistant, trigger, arguments: {} });
    await expect(named("shops", "find_order")).rejects.toThrow('no assistant "shops"');
    await expect(named("shop", "toString")).rejects.toThrow('no trigger "toString"');
  });
});

describe("the description of assistants", () => {
  it("has the triggers with their variables, and no secret or host variable", () => {
    const described = under.gateway.describeAssistants();
    expect(described).toMatchObject([
      {
        id: "shop",
        triggers: [
          {
            name: "find_order",
            interpretResponse: true,
            webhook: {
              method: "POST",
              url: `${under.target.url}/orders/$number?customer=$customer&key=[redacted]`,
              headers: [
                { key: "authorization", value: "Bearer $shop_key" },
                { key: "x-trace", value: "$session.id $shop_key" },
              ],
              body: { pictures: "$images", key: "$shop_key" },
            },
          },
          { name: "ask_tenant" },
        ],
      },
    ]);
    expect(JSON.stringify(described)).not.toContain(secret);
  });
});
