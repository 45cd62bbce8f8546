import { afterEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { json } from "../support/webhook-target.ts";

let under: AssistantUnderTest;

afterEach(() => under.close());

const plans = [
  { id: "prepaid", billing: "prepaid" },
  { id: "subscription", billing: "none", features: ["tools"] },
] as const;

describe.each(["prepaid", "subscription"])("a turn of an account on the plan %s", (plan) => {
  it("ends before its next model call when the account is frozen, and its sessions are refused until it is thawed", async () => {
    under = await assistantUnderTest({ gateway: { plans } });
    under.think((_request, call) =>
      call === 1 ? { calls: [["find_order", { number: 17 }]] } : { content: "It is on its way." },
    );
    under.target.answer = (_request, res) => {
      under.balances.freeze("acme", "dispute 17");
      json(res, 200, { state: "shipped" });
    };
    const headers = { authorization: `Bearer ${await under.key({ plan })}` };
    const id = await under.session({ customer: "Ann" });
    const response = await under.say(id, {}, { headers });
    expect([response.status, (await response.json()).error.code]).toEqual([403, "account_frozen"]);
    expect(under.provider.calls).toHaveLength(1);
    expect(under.balances.balance("acme").held).toBe(0n);

    for (const [method, path] of [
      ["GET", ""],
      ["GET", `/${id}`],
      ["GET", `/${id}/messages`],
      ["DELETE", `/${id}`],
    ] as const) {
      const refused = await under.ask(method, path, { headers });
      expect([method, path, refused.status]).toEqual([method, path, 403]);
    }
    under.balances.thaw("acme");
    expect((await under.ask("GET", `/${id}/messages`, { headers })).status).toBe(200);
  });
});
