import { type GatewayOptions, memoryResponseStore } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { mountGateway, type Send, sendTo } from "./mounted-gateway.ts";
import { mountedOnce } from "./mounts/mounts.ts";

const call = async (send: Send, secret: string, path: string, method = "GET", body?: object) => {
  const authorization = `Bearer ${secret}`;
  const json = { headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await send(`/responses${path}`, {
    method,
    ...(body === undefined ? { headers: { authorization } } : json),
  });
  const text = await answer.text();
  const { status, headers } = answer;
  return { status, headers, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
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

describe.each(mountedOnce)("stored responses on $title", ({ mount, variant }) => {
  it("are read, listed and deleted by their account alone", async () => {
    const tested = stored();
    await using host = await mountGateway(tested.gateway, mount, variant);
    const [secret, other] = [await tested.key(), await tested.key({ account: "other", plan: "subscription" })];
    const input = ["Hello", "Again"].map((text) => ({ role: "user", content: [{ type: "input_text", text }] }));
    const { body: made } = await call(host.send, secret, "", "POST", { model: "plain", input });
    expect(made).toMatchObject({ object: "response", store: true });
    for (const [path, method] of [
      ["", "GET"],
      ["/input_items", "GET"],
      ["", "DELETE"],
    ] as const) {
      const refused = await call(host.send, other, `/${made.id}${path}`, method);
      expect([refused.status, refused.body.error.code]).toEqual([404, "resource_not_found"]);
    }
    expect((await call(host.send, secret, `/${made.id}`)).body).toEqual(made);
    expect((await call(host.send, secret, `/${made.id.replace("_", "%5F")}`)).body).toEqual(made);
    const items = `/${made.id}/input_items`;
    const { body: first } = await call(host.send, secret, `${items}?limit=1&order=asc`);
    expect(first).toMatchObject({
      object: "list",
      has_more: true,
      first_id: first.data[0].id,
      last_id: first.data[0].id,
    });
    expect(first.data).toMatchObject([input[0]]);
    const { body: rest } = await call(host.send, secret, `${items}?after=${first.last_id}&order=asc`);
    expect(rest).toMatchObject({ has_more: false, data: [input[1]] });
    for (const [method, path, allowed] of [
      ["PUT", "", "GET, DELETE"],
      ["DELETE", "/input_items", "GET"],
    ] as const) {
      const { status, headers } = await call(host.send, secret, `/${made.id}${path}`, method);
      expect([status, headers.get("allow")]).toEqual([405, allowed]);
    }
    const deleted = await call(host.send, secret, `/${made.id}`, "DELETE");
    expect(deleted.body).toEqual({ id: made.id, object: "response", deleted: true });
    expect((await call(host.send, secret, `/${made.id}`)).status).toBe(404);
  });

  it("are continued by previous_response_id and by references to items, also after a stream", async () => {
    const tested = stored();
    await using host = await mountGateway(tested.gateway, mount, variant);
    const secret = await tested.key();
    const streamed = await call(host.send, secret, "", "POST", { model: "plain", input: "First", stream: true });
    const first = /"(resp_[^"]+)"/.exec(streamed.text)?.[1];
    expect(streamed.text).toContain("response.completed");
    const { body: second } = await call(host.send, secret, "", "POST", {
      model: "plain",
      input: "Second",
      previous_response_id: first,
    });
    expect(second.previous_response_id).toBe(first);
    const sent = JSON.stringify(tested.provider.calls.at(-1)?.request.messages);
    expect([sent.includes("First"), sent.includes("Second")]).toEqual([true, true]);
    const reference = { type: "item_reference", id: second.output[0].id };
    const third = await call(host.send, secret, "", "POST", {
      model: "plain",
      input: [reference, { role: "user", content: "Third" }],
    });
    expect(third.status).toBe(200);
    await call(host.send, secret, `/${first}`, "DELETE");
    const orphan = { model: "plain", input: "x", previous_response_id: second.id };
    expect(await call(host.send, secret, "", "POST", orphan)).toMatchObject({ status: 400 });
    const unknown = { model: "plain", input: [{ type: "item_reference", id: "msg_unknown" }] };
    expect((await call(host.send, secret, "", "POST", unknown)).body.error.param).toBe("input.0");
  });
});

describe("stored responses", () => {
  it("are missing when the client says so, the account is full, or the store fails", async () => {
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
      const [send, secret] = [sendTo(tested.gateway), await tested.key()];
      const made = await call(send, secret, "", "POST", { model: "plain", input: "Hello", ...body });
      expect([made.status, made.body.store]).toEqual([200, false]);
      expect((await call(send, secret, `/${made.body.id}`)).status).toBe(404);
      const events = tested.events.filter(({ type }) => type === "response.unstored");
      expect(events).toMatchObject(reason === undefined ? [] : [{ account: "acme", reason }]);
    }
  });

  it("have a remedy where the host passes no store, and refuse invalid pages", async () => {
    const tested = gatewayUnderTest();
    const { status, body } = await call(sendTo(tested.gateway), await tested.key(), "/resp_1");
    expect([status, body.error.code]).toEqual([404, "not_configured"]);
    expect(body.error.message).toContain("`responses`");
    const withStore = stored();
    const [send, secret] = [sendTo(withStore.gateway), await withStore.key()];
    for (const query of ["limit=0", "limit=101", "order=up"]) {
      expect((await call(send, secret, `/x/input_items?${query}`)).status).toBe(400);
    }
  });
});
