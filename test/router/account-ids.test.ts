import { type GatewayOptions, memoryResponseStore, openaiCompatible } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { scriptedTransport } from "../support/scripted-transport.ts";

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "upstream-secret" };
const said = (text: string) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
const response = {
  id: "resp_repeated",
  object: "response",
  status: "completed",
  model: "up",
  output: [reasoning, said("Hi")],
  prompt_cache_key: "from upstream",
  usage,
};
const answers = {
  "chat/completions": {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "up",
    choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  },
  responses: response,
  embeddings: {
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: [0.5] }],
    model: "up",
    usage: { prompt_tokens: 1, total_tokens: 1 },
  },
} as const;

interface Asking extends Partial<GatewayOptions> {
  readonly apiKey?: string;
}

/** A gateway before an upstream that answers each request with the same JSON. */
function gatewayBefore(answer: object, { apiKey = "sk-upstream", ...options }: Asking = {}) {
  const { transport, requests } = scriptedTransport([JSON.stringify(answer)], "application/json");
  const provider = openaiCompatible({
    baseURL: "http://up.test/v1",
    apiKey,
    dialects: ["responses", "embeddings"],
  });
  const price = { input: "1", output: "2" };
  const targets = [{ provider, model: "up" }];
  const under = gatewayUnderTest({
    models: [
      { id: "plain", maxOutputTokens: 1_000, price, targets },
      { id: "embedder", kind: "embedding", price, targets },
    ],
    transport,
    ...options,
  });
  under.balances.credit({ id: "other", account: "globex", amount: 1_000_000_000n, reason: "test" });
  const ask = async (path: string, body: object, account = "acme") => {
    const headers = { authorization: `Bearer ${await under.key({ account })}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ model: "plain", ...body }) };
    const answered = await under.gateway.fetch(new Request(`http://gateway.test/router/v1/${path}`, init));
    expect(answered.status).toBe(200);
    return { body: await answered.json(), sent: requests.at(-1)?.json ?? {} };
  };
  return { ...under, ask, requests };
}

const ids = { user: "jane@example.com", safety_identifier: "jane", prompt_cache_key: "p".repeat(200) };
const digits = expect.stringMatching(/^[0-9a-f]{32}$/);
const messages = [{ role: "user", content: "Hi" }];

describe.each([
  ["chat/completions", { messages, ...ids }, ["user", "safety_identifier", "prompt_cache_key"]],
  ["responses", { input: "Hi", store: false, ...ids }, ["user", "safety_identifier", "prompt_cache_key"]],
  ["embeddings", { model: "embedder", input: "Hi", user: ids.user }, ["user"]],
] as const)("the ids that a client chooses: %s", (path, body, names) => {
  const pick = (sent: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, sent[name]]));

  it("go upstream as digits that differ between accounts, and are the same in every process", async () => {
    const gateway = gatewayBefore(answers[path]);
    const own = pick((await gateway.ask(path, body)).sent);
    expect(own).toEqual(Object.fromEntries(names.map((name) => [name, digits])));
    expect(pick((await gateway.ask(path, body)).sent)).toEqual(own);
    expect(pick((await gatewayBefore(answers[path]).ask(path, body)).sent)).toEqual(own);
    const other = pick((await gateway.ask(path, body, "globex")).sent);
    for (const name of names) expect(other[name]).not.toBe(own[name]);
  });

  it("depend on the secret of the gateway, or on the key of the provider without one", async () => {
    const sentWith = async (asking: Asking) => pick((await gatewayBefore(answers[path], asking).ask(path, body)).sent);
    const own = await sentWith({});
    expect(await sentWith({ apiKey: "sk-another" })).not.toEqual(own);
    const secret = ["first secret of this test", "second secret"];
    const signed = await sentWith({ secret });
    expect(signed).not.toEqual(own);
    expect(await sentWith({ secret: "first secret of this test", apiKey: "sk-another" })).toEqual(signed);
  });

  it("stay as they are for usage and for the client", async () => {
    const gateway = gatewayBefore(answers[path]);
    const { body: answered } = await gateway.ask(path, body);
    expect(gateway.events.find(({ type }) => type === "request.completed")).toMatchObject({
      endUser: path === "embeddings" ? ids.user : ids.safety_identifier,
    });
    if (path === "responses") expect(answered).toMatchObject(ids);
  });
});

it("leaves a request without such ids as it is", async () => {
  const { sent } = await gatewayBefore(answers["chat/completions"]).ask("chat/completions", { messages, user: "" });
  expect(sent).toEqual({ model: "up", messages, user: "" });
});

describe("a native response", () => {
  it("has an id of the gateway, so that an upstream that repeats its ids mixes up no conversations", async () => {
    const gateway = gatewayBefore(response, { responses: { store: memoryResponseStore() } });
    const first = await gateway.ask("responses", { input: "I am Jane." });
    const second = await gateway.ask("responses", { input: "I am John." });
    expect(first.body.id).toMatch(/^resp_[0-9a-f]{32}$/);
    expect(second.body.id).not.toBe(first.body.id);
    const continued = await gateway.ask("responses", { input: "Who am I?", previous_response_id: first.body.id });
    expect(JSON.stringify(continued.sent["input"])).toContain("I am Jane.");
    expect(JSON.stringify(continued.sent["input"])).not.toContain("John");
  });

  it("returns its sealed reasoning to the upstream only for the account that got it", async () => {
    const gateway = gatewayBefore(response);
    const { body } = await gateway.ask("responses", { input: "Hi", store: false });
    const [sealed] = body.output;
    expect(sealed.encrypted_content).toMatch(/^tg2-[0-9a-f]{32}-/);
    const continued = { store: false, input: [sealed, { role: "user", content: "Go on" }] };
    expect((await gateway.ask("responses", continued)).sent["input"]).toMatchObject([reasoning, { role: "user" }]);
    expect((await gateway.ask("responses", continued, "globex")).sent["input"]).toMatchObject([{ role: "user" }]);
  });
});

it("has its own id in every event of a stream", async () => {
  const event = (data: { readonly type: string; readonly [name: string]: unknown }) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const { transport } = scriptedTransport([
    event({ type: "response.created", sequence_number: 0, response: { ...response, status: "in_progress" } }),
    event({ type: "response.output_item.done", sequence_number: 1, response_id: "resp_repeated", item: said("Hi") }),
    event({ type: "response.completed", sequence_number: 2, response }),
  ]);
  const { gateway, key } = gatewayUnderTest({
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        price: "free",
        targets: [
          {
            provider: openaiCompatible({ baseURL: "http://up.test/v1", dialects: ["responses"] }),
            model: "up",
          },
        ],
      },
    ],
    transport,
  });
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
  const body = JSON.stringify({ model: "plain", input: "Hi", store: false, stream: true });
  const answered = await gateway.fetch(
    new Request("http://gateway.test/router/v1/responses", { method: "POST", headers, body }),
  );
  const text = await answered.text();
  expect(text).toContain("response.completed");
  expect(text).not.toContain("resp_repeated");
  expect(new Set(text.match(/resp_[0-9a-f]{32}/g)).size).toBe(1);
});

it("refuses an empty secret without quoting any", () => {
  const refused = () => gatewayBefore(response, { secret: ["a real secret", ""] });
  expect(refused).toThrow("`secret[1]` is not a text. Give a random one of at least 32 characters.");
  expect(() => gatewayBefore(response, { secret: [] })).toThrow("`secret` is empty.");
});
