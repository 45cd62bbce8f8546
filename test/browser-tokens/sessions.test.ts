import { describe, expect, it } from "vitest";
import { page, statusAndCode, tokensUnderTest } from "../support/tokens-under-test.ts";

/** Creates a session as the host's server does, with client data, and a token of it. */
async function setSession() {
  const tested = await tokensUnderTest();
  const { key, secret } = await tested.key();
  const create = async (): Promise<string> => {
    const body = { assistant_id: "support", client_data: { customer: "42" } };
    return (await (await tested.ask(secret, "POST", "/session", body, {})).json()).id;
  };
  const session = await create();
  const { token } = await tested.gateway.browserTokens.create({
    keyId: key.id,
    session,
    endUser: "ann",
    spendCap: "0.001",
  });
  return { ...tested, parent: key, secret, session, token, other: await create() };
}

describe("a token of a session", () => {
  it("sends messages to its session and reads them, which is charged to its key and end user", async () => {
    const { ask, token, session, usage, gateway, parent } = await setSession();
    const said = await ask(token, "POST", `/session/${session}/messages`, { content: "Hi" });
    expect([said.status, (await said.json()).choices[0].message.content]).toEqual([200, "Hello."]);
    const list = await ask(token, "GET", `/session/${session.toUpperCase()}/messages`);
    const { data } = await list.json();
    expect(data.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
    await gateway.drain();
    const [row] = (await usage.list({ filter: {}, limit: 1 })).rows;
    expect(row).toMatchObject({ keyId: parent.id, sessionId: session, endUser: "ann", cost: 100n });
  });

  it("gets 404 for everything else", async () => {
    const { ask, token, session, other } = await setSession();
    const chat = { model: "plain", messages: [{ role: "user", content: "Hi" }] };
    const refused: readonly (readonly [string, string, object?])[] = [
      ["GET", "/session"],
      ["POST", "/session", { assistant_id: "support" }],
      ["GET", `/session/${session}`],
      ["PUT", `/session/${session}`, { client_data: { customer: "43" } }],
      ["DELETE", `/session/${session}`],
      ["GET", `/session/${session}/logs`],
      ["POST", `/session/${session}/approvals/call-1`, { approved: true }],
      ["POST", `/session/${other}/messages`, { content: "Hi" }],
      ["GET", `/session/${other}/messages`],
      ["GET", `/session/${other}/logs`],
      ["GET", `/session/${crypto.randomUUID()}/messages`],
      ["POST", "/chat/completions", chat],
      ["POST", "/messages", { ...chat, max_tokens: 5 }],
      ["POST", "/messages/count_tokens", chat],
      ["POST", "/responses", { model: "plain", input: "Hi" }],
      ["GET", "/responses/resp_1"],
      ["DELETE", "/responses/resp_1"],
      ["GET", "/models"],
      ["GET", "/models/plain"],
      ["GET", "/key"],
      ["GET", "/credits"],
      ["GET", "/usage"],
      ["GET", "/generation?id=1"],
    ];
    for (const [method, path, body] of refused) {
      const { status } = await ask(token, method, path, body);
      expect([method, path, status]).toEqual([method, path, 404]);
    }
  });

  it("gets the same answer for the session of another and for none", async () => {
    const { ask, token, other } = await setSession();
    const textOf = async (id: string) => (await ask(token, "GET", `/session/${id}/messages`)).text();
    expect(await textOf(other)).toBe(await textOf(crypto.randomUUID()));
  });

  it("of a key that may not call models sends no message", async () => {
    const { ask, gateway, key, session } = await setSession();
    const reader = await key({ scopes: ["account:read"] });
    const { token } = await gateway.browserTokens.create({ keyId: reader.key.id, session });
    const said = ask(token, "POST", `/session/${session}/messages`, { content: "Hi" });
    expect(await statusAndCode(said)).toEqual([403, "scope_not_allowed"]);
  });

  it("is refused from a page of another origin", async () => {
    const { ask, token, session } = await setSession();
    const from = (origin: string) =>
      statusAndCode(ask(token, "GET", `/session/${session}/messages`, undefined, { origin }));
    expect(await from(page)).toEqual([200, undefined]);
    expect(await from("https://evil.example")).toEqual([403, "origin_not_allowed"]);
  });
});

it("a token of another scope uses no session, not even by its id", async () => {
  const { ask, gateway, key, session } = await setSession();
  const { key: parent } = await key();
  const { token } = await gateway.browserTokens.create({ keyId: parent.id, scopes: ["inference", "account:read"] });
  for (const [method, path] of [
    ["GET", "/session"],
    ["GET", `/session/${session}`],
    ["GET", `/session/${session}/messages`],
    ["GET", `/session/${session}/logs`],
    ["DELETE", `/session/${session}`],
  ] as const)
    expect(await statusAndCode(ask(token, method, path))).toEqual([403, "scope_not_allowed"]);
});
