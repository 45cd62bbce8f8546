import { memoryResponseStore } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { closedGate } from "../support/gate.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { overriding } from "../support/overriding.ts";
import { completionOf } from "../support/scripted-provider.ts";

const greeting = { model: "plain", messages: [{ role: "user", content: "Hello" }] };

/** Requests of every endpoint that a frozen account may not use. */
const requests = [
  ["POST", "chat/completions", greeting],
  ["POST", "messages", { ...greeting, max_tokens: 10 }],
  ["POST", "messages/count_tokens", greeting],
  ["POST", "responses", { model: "plain", store: false, input: "Hello" }],
  ["GET", "responses/resp_1", undefined],
  ["DELETE", "responses/resp_1", undefined],
  ["GET", "models", undefined],
  ["GET", "models/plain", undefined],
] as const;

function frozenGateway(): GatewayUnderTest {
  const tested = gatewayUnderTest({ responses: { store: memoryResponseStore() } });
  tested.provider.script = { complete: async () => completionOf("Hi") };
  tested.balances.freeze("acme", "suspected of fraud");
  return tested;
}

async function send({ gateway }: GatewayUnderTest, secret: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await gateway.fetch(new Request(`http://gateway.test/router/v1/${path}`, init));
  return { status: response.status, retry: response.headers.get("x-should-retry"), text: await response.text() };
}

describe.each(["prepaid", "subscription"])("a frozen account on the plan %s", (plan) => {
  it.each(requests)("gets 403 from %s /%s, and its usual answer once it is thawed", async (method, path, body) => {
    const tested = frozenGateway();
    const secret = await tested.key({ plan });
    const refused = await send(tested, secret, method, path, body);
    expect(refused).toMatchObject({ status: 403, retry: "false" });
    expect(refused.text).toContain("This account is frozen");
    expect(refused.text).toContain("Contact the operator");
    expect(refused.text).not.toContain("fraud");
    expect(tested.provider.calls).toHaveLength(0);
    expect(tested.balances.balance("acme").held).toBe(0n);
    tested.balances.thaw("acme");
    const { status } = await send(tested, secret, method, path, body);
    expect(status).toBe(path.startsWith("responses/") ? 404 : 200);
  });

  it("has its running call answered and charged as usual", async () => {
    const tested = gatewayUnderTest();
    const gate = closedGate();
    const answer = async () => {
      await gate.opened;
      return completionOf("Hi");
    };
    tested.provider.script = { complete: answer };
    const running = tested.chat(await tested.key({ plan }));
    await expect.poll(() => tested.provider.calls.length).toBe(1);
    tested.balances.freeze("acme", "dispute 17");
    gate.open();
    expect((await running).status).toBe(200);
    expect(tested.balances.balance("acme").posted < 1_000_000_000n).toBe(plan === "prepaid");
  });

  it("frees the place of a refused request", async () => {
    const tested = frozenGateway();
    const secret = await tested.key({ plan, limits: { concurrency: 1 } });
    for (let call = 0; call < 3; call++) expect((await tested.chat(secret)).status).toBe(403);
    tested.balances.thaw("acme");
    expect((await tested.chat(secret)).status).toBe(200);
  });
});

it("an account without billing is looked up once, not for each call", async () => {
  const { balances } = gatewayUnderTest();
  let reads = 0;
  const counted = overriding(balances, {
    balance: (account: string) => {
      reads += 1;
      return balances.balance(account);
    },
  });
  const tested = gatewayUnderTest({ balances: counted });
  tested.provider.script = { complete: async () => completionOf("Hi") };
  const secret = await tested.key({ plan: "subscription" });
  for (let call = 0; call < 5; call++) expect((await tested.chat(secret)).status).toBe(200);
  expect(reads).toBe(1);
});

it("an outage of the store at that look-up is 503, and nothing goes upstream", async () => {
  const { balances } = gatewayUnderTest();
  const broken = overriding(balances, {
    balance: () => {
      throw new Error("the store is down");
    },
  });
  const tested = gatewayUnderTest({ balances: broken });
  const response = await tested.chat(await tested.key({ plan: "subscription" }));
  expect([response.status, (await response.json()).error.code]).toEqual([503, "store_unavailable"]);
  expect(tested.provider.calls).toHaveLength(0);
});
