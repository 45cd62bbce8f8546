import { type GatewayOptions, memoryResponseStore } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";

const call = async ({ gateway }: GatewayUnderTest, secret: string, path: string, method = "GET", body?: object) => {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await gateway.fetch(new Request(`http://gateway.test/router/v1/responses${path}`, init));
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
};

/** A gateway whose provider answers "Hi.", whole or streamed. */
function answering(options: Partial<GatewayOptions> = {}): GatewayUnderTest {
  const tested = gatewayUnderTest(options);
  const usage = { prompt_tokens: 5, completion_tokens: 2 };
  tested.provider.script = {
    complete: async () => ({ choices: [{ message: { content: "Hi." }, finish_reason: "stop" }], usage }),
    async *stream() {
      yield { choices: [{ delta: { content: "Hi." } }] };
      yield { choices: [{ delta: {}, finish_reason: "stop" }], usage };
    },
  };
  return tested;
}

const stored = () => answering({ responses: { store: memoryResponseStore() } });

describe("stored responses", () => {
  it("are read, listed and deleted by their account alone", async () => {
    const tested = stored();
    const [secret, other] = [await tested.key(), await tested.key({ account: "other", plan: "subscription" })];
    const { body: made } = await call(tested, secret, "", "POST", { model: "plain", input: "Hello" });
    expect(made).toMatchObject({ object: "response", store: true });
    for (const [path, method] of [
      ["", "GET"],
      ["/input_items", "GET"],
      ["", "DELETE"],
    ] as const) {
      const refused = await call(tested, other, `/${made.id}${path}`, method);
      expect([refused.status, refused.body.error.code]).toEqual([404, "resource_not_found"]);
    }
    expect((await call(tested, secret, `/${made.id}`)).body).toEqual(made);
    const { body: list } = await call(tested, secret, `/${made.id}/input_items?limit=1&order=asc`);
    expect(list).toMatchObject({
      object: "list",
      has_more: false,
      first_id: list.data[0].id,
      last_id: list.data[0].id,
    });
    expect(list.data[0]).toMatchObject({ role: "user", content: [{ type: "input_text", text: "Hello" }] });
    const deleted = await call(tested, secret, `/${made.id}`, "DELETE");
    expect(deleted.body).toEqual({ id: made.id, object: "response", deleted: true });
    expect((await call(tested, secret, `/${made.id}`)).status).toBe(404);
  });

  it("are continued by previous_response_id and by references to items, also after a stream", async () => {
    const tested = stored();
    const secret = await tested.key();
    const streamed = await call(tested, secret, "", "POST", { model: "plain", input: "First", stream: true });
    const first = /"(resp_[^"]+)"/.exec(streamed.text)?.[1];
    expect(streamed.text).toContain("response.completed");
    const { body: second } = await call(tested, secret, "", "POST", {
      model: "plain",
      input: "Second",
      previous_response_id: first,
    });
    expect(second.previous_response_id).toBe(first);
    const sent = JSON.stringify(tested.provider.calls.at(-1)?.request.messages);
    expect([sent.includes("First"), sent.includes("Second")]).toEqual([true, true]);
    const reference = { type: "item_reference", id: second.output[0].id };
    const third = await call(tested, secret, "", "POST", {
      model: "plain",
      input: [reference, { role: "user", content: "Third" }],
    });
    expect(third.status).toBe(200);
    await call(tested, secret, `/${first}`, "DELETE");
    const orphan = { model: "plain", input: "x", previous_response_id: second.id };
    expect(await call(tested, secret, "", "POST", orphan)).toMatchObject({ status: 400 });
    const unknown = { model: "plain", input: [{ type: "item_reference", id: "msg_unknown" }] };
    expect((await call(tested, secret, "", "POST", unknown)).body.error.param).toBe("input.0");
  });

  it("are not stored when the client says so, the account is full, or the store fails", async () => {
    const failing = Object.assign(memoryResponseStore(), {
      save: () => {
        throw new Error("down");
      },
    });
    for (const [responses, body, reason] of [
      [{ store: memoryResponseStore() }, { store: false }, undefined],
      [{ store: memoryResponseStore(), maxAccountBytes: 1 }, {}, "full"],
      [{ store: failing }, {}, "failed"],
    ] as const) {
      const tested = answering({ responses });
      const secret = await tested.key();
      const made = await call(tested, secret, "", "POST", { model: "plain", input: "Hello", ...body });
      expect([made.status, made.body.store]).toEqual([200, false]);
      expect((await call(tested, secret, `/${made.body.id}`)).status).toBe(404);
      const events = tested.events.filter(({ type }) => type === "response.unstored");
      expect(events).toMatchObject(reason === undefined ? [] : [{ account: "acme", reason }]);
    }
  });

  it("name the remedy where the host passes no store, and refuse invalid pages", async () => {
    const tested = gatewayUnderTest();
    const { status, body } = await call(tested, await tested.key(), "/resp_1");
    expect([status, body.error.code]).toEqual([404, "not_configured"]);
    expect(body.error.message).toContain("`responses`");
    const withStore = stored();
    for (const query of ["limit=0", "limit=101", "order=up"]) {
      expect((await call(withStore, await withStore.key(), `/x/input_items?${query}`)).status).toBe(400);
    }
  });
});
