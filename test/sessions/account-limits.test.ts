import { afterEach, describe, expect, it } from "vitest";
import {
  type AssistantTestOptions,
  type AssistantUnderTest,
  assistantUnderTest,
} from "../support/assistant-under-test.ts";
import { json } from "../support/webhook-target.ts";

let under: AssistantUnderTest;

afterEach(() => under.close());

const start = async (assistants: NonNullable<AssistantTestOptions["assistants"]>) => {
  under = await assistantUnderTest({ assistants });
  under.think(() => ({ content: "Hello." }));
};

const create = (clientData: object = {}) =>
  under.ask("POST", "", {
    body: JSON.stringify({ assistant_id: "shop", client_data: clientData }),
    headers: { "content-type": "application/json" },
  });

const put = (id: string, clientData: object) =>
  under.ask("PUT", `/${id}`, {
    body: JSON.stringify({ client_data: clientData }),
    headers: { "content-type": "application/json" },
  });

const refusal = async (response: Response) => ({
  status: response.status,
  retry: response.headers.get("x-should-retry"),
  error: (await response.json()).error,
});

const limitReached = (limit: "sessions" | "bytes", most: number) => ({
  status: 403,
  retry: "false",
  error: expect.objectContaining({
    type: "permission_error",
    code: "session_limit_reached",
    metadata: { limit, most },
    message: expect.stringContaining("DELETE /session/{id}"),
  }),
});

describe("an account at its limit of sessions", () => {
  it("cannot create another one until one is deleted", async () => {
    await start({ maxSessionsPerAccount: 2 });
    const [first] = [await under.session(), await under.session()];
    expect(await refusal(await create())).toEqual(limitReached("sessions", 2));
    await under.ask("DELETE", `/${first}`);
    expect((await create()).status).toBe(201);
    expect(under.gateway.inFlight()).toBe(0);
  });

  it("has 10 of 100 parallel requests succeed if 10 sessions are left", async () => {
    await start({ maxSessionsPerAccount: 12 });
    await under.session();
    await under.session();
    const statuses = (await Promise.all(Array.from({ length: 100 }, () => create()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 403)).toHaveLength(90);
  });
});

describe("an account at its limit of bytes", () => {
  const bytes = 10_000;

  it("cannot add sessions, client data or messages until a session is deleted", async () => {
    await start({ maxSessionBytesPerAccount: bytes });
    const [large, small] = [await under.session({ a: "x".repeat(9_500) }), await under.session()];
    expect(await refusal(await create({ a: "x".repeat(1_000) }))).toEqual(limitReached("bytes", bytes));
    expect(await refusal(await put(small, { a: "x".repeat(1_000) }))).toEqual(limitReached("bytes", bytes));
    expect(await refusal(await under.say(small, { content: "x".repeat(1_000) }))).toEqual(limitReached("bytes", bytes));
    expect(under.provider.calls).toEqual([]);
    expect((await under.balances.balance("acme")).held).toBe(0n);

    expect((await put(large, { a: null })).status).toBe(200);
    expect((await under.say(small, { content: "x".repeat(1_000) })).status).toBe(200);
    expect((await create({ a: "x".repeat(1_000) })).status).toBe(201);
  });

  it("stores all messages of a turn that has started", async () => {
    await start({ maxSessionBytesPerAccount: bytes });
    under.think(() => ({ content: "word ".repeat(3_000) }));
    const id = await under.session();
    expect((await under.say(id)).status).toBe(200);
    expect((await (await under.ask("GET", `/${id}/messages`)).json()).data).toHaveLength(2);
    expect((await under.say(id)).status).toBe(403);
  });

  it("does not merge client data of webhooks, and reports it in the log", async () => {
    await start({ maxSessionBytesPerAccount: bytes });
    under.target.answer = (_request, res) => json(res, 200, { session: { client_data: { a: "x".repeat(bytes) } } });
    under.think((_request, call) => (call === 1 ? { calls: [["find_order", { number: 1 }]] } : { content: "Found." }));
    const id = await under.session({ customer: "Ann" });
    expect((await under.say(id)).status).toBe(200);
    const [log] = (await (await under.ask("GET", `/${id}/logs`)).json()).data;
    expect(log).toMatchObject({ merged_keys: [], warnings: [expect.stringContaining("Nothing was merged")] });
  });
});
