import { afterEach, beforeEach, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";

let under: AssistantUnderTest;

beforeEach(async () => {
  under = await assistantUnderTest({
    assistant: ({ url }) => ({
      triggers: [
        {
          name: "look_up",
          parameters: {
            type: "object",
            properties: {
              number: { type: "integer", minimum: 1 },
              prices: { type: "array", items: { type: "number" } },
            },
          },
          webhook: {
            type: "WEBHOOK",
            url: `${url}/$number/$account?id=$account&o=$order&n=$order.id&p=$prices`,
            method: "POST",
            headers: [{ key: "x-ids", value: "$number $account" }],
            body: '{"number":$number,"account":$account,"order":$order,"text":"$account $order","prices":$prices}',
          },
        },
      ],
    }),
  });
});

afterEach(() => under.close());

const answer =
  '{"order":{"id":7777777777777777777,"total":19.90},"session":{"client_data":{"order":{"id":7777777777777777777}}}}';
const args = '{"number": 1234567890123456789, "prices": [0.10, 12345678901234567890.5]}';

it("keeps the digits of numbers from clients, models and webhooks in later webhooks, the session and the logs", async () => {
  under.think((_request, call) => (call <= 2 ? { calls: [["look_up", args]] } : { content: "Done." }));
  under.target.answer = (_request, res) => void res.writeHead(200, { "content-type": "application/json" }).end(answer);
  const created = await under.ask("POST", "", {
    headers: { "content-type": "application/json" },
    body: '{"assistant_id":"shop","client_data":{"account":9007199254740993,"order":{"id":5555555555555555555}}}',
  });
  const { id } = await created.json();
  expect((await under.say(id)).status).toBe(200);

  const [first, second] = under.target.received;
  expect(first?.url).toContain("/1234567890123456789/9007199254740993?id=9007199254740993&");
  expect(first?.url).toContain("&n=5555555555555555555&p=%5B0.10%2C12345678901234567890.5%5D");
  expect(first?.headers["x-ids"]).toBe("1234567890123456789 9007199254740993");
  expect(first?.body).toBe(
    '{"number":1234567890123456789,"account":9007199254740993,"order":{"id":5555555555555555555},' +
      '"text":"9007199254740993 {\\"id\\":5555555555555555555}","prices":[0.10,12345678901234567890.5]}',
  );
  expect(second?.url).toContain("&n=7777777777777777777&");
  expect(second?.body).toContain('"order":{"id":7777777777777777777},');

  const toolResult = under.provider.calls[1]?.request.messages.find(({ role }) => role === "tool")?.content;
  expect(toolResult).toContain(`"response":${answer}`);
  expect(await (await under.ask("GET", `/${id}`)).text()).toContain(
    '"client_data":{"account":9007199254740993,"order":{"id":7777777777777777777}}',
  );
  const logs = await (await under.ask("GET", `/${id}/logs`)).text();
  expect(logs).toContain('{"name":"number","source":"argument","value":1234567890123456789}');
  expect(logs).toContain('{"name":"account","source":"client_data","value":9007199254740993}');
  expect(logs).toContain('"value":{"id":7777777777777777777}');
});

it("redacts a long number that is a secret, and keeps the digits of others", async () => {
  await under.close();
  under = await assistantUnderTest({
    assistant: () => ({ secrets: { shop_key: "canary-4711", pin: "1234567890123456789" } }),
  });
  under.think((_request, call) => (call === 1 ? { calls: [["find_order", { number: 1 }]] } : { content: "Done." }));
  under.target.answer = (_request, res) =>
    void res
      .writeHead(200, { "content-type": "application/json" })
      .end('{"a":1234567890123456789,"b":9876543210987654321}');
  await under.say(await under.session({ customer: "Ann" }));
  const toolResult = under.provider.calls[1]?.request.messages.find(({ role }) => role === "tool")?.content;
  expect(toolResult).toContain('"response":{"a":"[redacted]","b":9876543210987654321}');
});

it("keeps digits in a dry run, whose variables are LosslessNumbers", async () => {
  const created = await under.ask("POST", "", {
    headers: { "content-type": "application/json" },
    body: '{"assistant_id":"shop","client_data":{"account":9007199254740993,"order":1.50}}',
  });
  const { id } = await created.json();
  const result = await under.gateway.dryRun({
    assistant: "shop",
    trigger: "look_up",
    arguments: { number: 5 },
    session: { id, account: "acme" },
  });
  expect(result).toMatchObject({
    outcome: "rendered",
    request: { body: expect.stringContaining('"account":9007199254740993,"order":1.50,') },
  });
  expect(result.variables.find(({ name }) => name === "account")?.value).toHaveProperty("text", "9007199254740993");
});
