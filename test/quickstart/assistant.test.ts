import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demonstrationRunner } from "../../examples/quickstart/src/assistant.ts";
import { allEvents } from "../support/read-stream.ts";
import { webhookTarget } from "../support/webhook-target.ts";
import { endQuickstart, type Quickstart, startQuickstart, written } from "./start-quickstart.ts";

interface Announced {
  readonly router: string;
  readonly sessions: string;
  readonly assistant: string;
  readonly keys: Readonly<Record<string, string>>;
}

let quickstart: Quickstart;
let announced: Announced;

beforeAll(async () => {
  quickstart = startQuickstart({ PORT: "0", QUICKSTART_JSON: "1" });
  const [line] = await written(quickstart, /^\{.*\}\n/);
  announced = JSON.parse(line);
});
afterAll(() => endQuickstart(quickstart));

/** Sends a request to a session endpoint with a JSON body or a form; `path` follows "/session". */
function ask(method: string, path: string, body?: object, key = "prepaid"): Promise<Response> {
  const authorization = `Bearer ${announced.keys[key]}`;
  const url = `${announced.sessions}/session${path}`;
  if (body instanceof FormData) return fetch(url, { method, headers: { authorization }, body });
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(url, { method, headers: { authorization, "content-type": "application/json" }, ...json });
}

const form = (fields: Readonly<Record<string, string>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};

const customer = (name: string) => JSON.stringify({ customer: name });

async function create(body: object, key?: string) {
  const answer = await ask("POST", "", body, key);
  const session = await answer.json();
  expect([answer.status, answer.headers.get("location")]).toEqual([201, `/session/${session.id}`]);
  return session;
}

describe("the line of JSON", () => {
  it("has the URL of the session endpoints and the id of the assistant", () => {
    expect(announced.sessions).toBe(new URL(announced.router).origin);
    expect(announced.assistant).toBe("order-desk");
  });
});

describe("a conversation", () => {
  it("starts with client data as JSON or as a form, and accepts more in a form", async () => {
    const assistant_id = announced.assistant;
    const byJson = await create({ assistant_id, client_data: { customer: "Ann" } });
    const byForm = await create(form({ assistant_id, client_data: customer("Ann") }));
    for (const { id, client_data } of [byJson, byForm]) {
      expect(client_data).toEqual({ customer: "Ann" });
      const answer = await ask("PUT", `/${id}`, form({ client_data: '{"customer": "Bob", "city": "Köln"}' }));
      expect([answer.status, (await answer.json()).client_data]).toEqual([200, { customer: "Bob", city: "Köln" }]);
    }
  });

  it("looks up an order, places one in a stream, stores logs of both, and can be deleted", async () => {
    const { id } = await create({ assistant_id: announced.assistant, client_data: { customer: 'Ann & "Bob"' } });
    const said = await ask("POST", `/${id}/messages`, { content: "Where is order 1234?" });
    const { choices, usage } = await said.json();
    expect(choices[0].message.content).toMatch(/^find_order answered: \{"ok":true,"status":200,/);
    expect(usage.completion_tokens).toBeGreaterThan(0);

    const order = { content: 'create_order: 3 "cups"', images: ["https://pictures.example/a.png"], stream: true };
    const events = await allEvents(await ask("POST", `/${id}/messages`, order));
    expect(events.at(-1)).toBe("[DONE]");
    const frames = events.slice(0, -1).map((event) => JSON.parse(event));
    expect(new Set(frames.map((frame) => frame.id)).size).toBe(1);
    const ends = frames.filter((frame) => frame.choices[0]?.finish_reason);
    expect(ends).toMatchObject([{ choices: [{ finish_reason: "stop" }] }]);

    const { data } = await (await ask("GET", `/${id}/logs`)).json();
    const [placed, found] = data;
    expect(JSON.parse(placed.request.body)).toEqual({
      article: "cups",
      quantity: 3,
      customer: 'Ann & "Bob"',
      prints: ["https://pictures.example/a.png"],
    });
    expect(found.request.url).toContain(`/orders/1234?customer=Ann%20%26%20%22Bob%22&session=${id}`);
    expect((await (await ask("GET", `/${id}`)).json()).client_data).toMatchObject({ last_order: expect.any(Number) });
    const history = await (await ask("GET", `/${id}/messages`)).json();
    expect(history.data.map(({ role }: { role: string }) => role).join(" ")).toBe(
      "user assistant tool assistant user assistant tool assistant",
    );

    expect((await ask("DELETE", `/${id}`)).status).toBe(204);
    expect((await ask("GET", `/${id}`)).status).toBe(404);
  });

  it("is visible only to its account, and needs a balance", async () => {
    const { id } = await create({ assistant_id: announced.assistant, client_data: { customer: "Ann" } });
    expect((await ask("GET", `/${id}`, undefined, "subscription")).status).toBe(404);
    const empty = await create({ assistant_id: announced.assistant }, "empty");
    const refused = await ask("POST", `/${empty.id}/messages`, { content: "Where is order 1?" }, "empty");
    expect([refused.status, (await refused.json()).error.code]).toEqual([402, "insufficient_balance"]);
  });

  it("continues if a variable has no value, and gives the model its name", async () => {
    const { id } = await create({ assistant_id: announced.assistant });
    const said = await ask("POST", `/${id}/messages`, { content: "Where is order 7?" });
    const content: string = (await said.json()).choices[0].message.content;
    expect(JSON.parse(content.slice(content.indexOf("{")))).toMatchObject({
      ok: false,
      error: { code: "unresolved_variable", message: expect.stringContaining('"customer"'), outcome: "not_sent" },
    });
  });
});

describe("the shop", () => {
  it.each([
    ["without a key", {}],
    ["with another key", { authorization: "Bearer wrong" }],
    ["with a key of the router", () => ({ authorization: `Bearer ${announced.keys["prepaid"]}` })],
  ])("rejects a request %s", async (_title, credentials) => {
    const headers = typeof credentials === "function" ? credentials() : credentials;
    const orders = `${announced.sessions}/demonstration-shop/orders`;
    for (const [method, url] of [
      ["GET", `${orders}/1001`],
      ["POST", orders],
    ] as const) {
      const answer = await fetch(url, { method, headers });
      expect([answer.status, await answer.json()]).toEqual([401, { message: expect.any(String) }]);
    }
  });
});

describe("a webhook of the quickstart", () => {
  it("can reach the quickstart, but no other port of the machine", async () => {
    const other = await webhookTarget();
    try {
      const runner = demonstrationRunner(new URL(announced.sessions).host);
      expect(await runner.checkTarget(`${announced.sessions}/demonstration-shop/orders`)).toEqual({ allowed: true });
      expect(await runner.checkTarget(other.url)).toEqual({ allowed: false, reason: expect.any(String) });
      const call = { id: crypto.randomUUID(), headers: [], body: undefined, timeoutMs: 10_000 };
      const result = await runner.run({
        ...call,
        method: "GET",
        url: other.url,
        signingSecret: undefined,
        signal: new AbortController().signal,
      });
      expect(result).toMatchObject({ kind: "failed", failure: "blocked_target", certainty: "not_sent" });
      expect(other.received).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
