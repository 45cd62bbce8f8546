import { type GatewayOptions, memoryResponseStore, memorySessionStore } from "@tollgate/core";
import type { ResponseStore, SessionStore } from "@tollgate/core/store";
import { describe, expect, it, vi } from "vitest";
import { assistantUnderTest } from "../support/assistant-under-test.ts";
import { closedGate } from "../support/gate.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const url = "http://gateway.test/router/v1/responses";
const image = (bytes: number) => `data:image/png;base64,${"iVBORw0K".repeat(bytes / 8)}`;
const imageItem = { role: "user", content: [{ type: "input_image", image_url: image(80_000) }] };

/** One key may hold 200,000 bytes, and its requests wait for no longer than a moment. */
const limits: Partial<GatewayOptions> = {
  maxBodyBytes: 200_000,
  maxBufferedRequestBytes: 800_000,
  bodies: { waitMs: 1 },
};

/** A gateway with a stored response of 80,000 bytes, whose model answers further requests when the gate is open. */
async function withStoredImage(store: ResponseStore = memoryResponseStore(), options: Partial<GatewayOptions> = {}) {
  const tested = gatewayUnderTest({ ...limits, responses: { store }, ...options });
  const gate = closedGate();
  tested.provider.script = { complete: async () => completionOf("A cat.") };
  const secret = await tested.key();
  const ask = (body: object, key = secret, signal = new AbortController().signal) =>
    tested.gateway.fetch(
      new Request(url, {
        method: "POST",
        signal,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "plain", ...body }),
      }),
    );
  const first: { readonly id: string } = await (await ask({ input: [imageItem] })).json();
  const listed = await tested.gateway.fetch(
    new Request(`${url}/${first.id}/input_items`, { headers: { authorization: `Bearer ${secret}` } }),
  );
  const { first_id: itemId }: { readonly first_id: string } = await listed.json();
  tested.provider.script = {
    complete: async () => {
      await gate.opened;
      return completionOf("Yes.");
    },
  };
  const called = (count: number) => expect.poll(() => tested.provider.calls).toHaveLength(count + 1);
  return { ...tested, secret, ask, first, itemId, gate, called };
}

describe.each(["previous_response_id", "item_reference"])("the stored bytes of a request with %s", (reference) => {
  const bodyOf = ({ first, itemId }: { readonly first: { readonly id: string }; readonly itemId: string }) =>
    reference === "previous_response_id"
      ? { input: "More?", previous_response_id: first.id, store: false }
      : { input: [{ type: "item_reference", id: itemId }], store: false };

  it("count in the share of its key before they are loaded, until the request ends", async () => {
    const store = memoryResponseStore();
    const scene = await withStoredImage(store);
    const running = [scene.ask(bodyOf(scene)), scene.ask(bodyOf(scene))];
    await scene.called(2);
    const loads = vi.spyOn(store, reference === "item_reference" ? "items" : "conversation");
    const refused = await scene.ask(bodyOf(scene));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({ error: { code: "over_capacity" } });
    expect(loads.mock.results.map(({ value }) => value.outcome)).toEqual(["larger"]);
    const other = scene.ask(bodyOf(scene), await scene.key());
    await scene.called(3);
    scene.gate.open();
    expect((await Promise.all([...running, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await scene.ask(bodyOf(scene))).status).toBe(200);
  });

  it("are loaded when those of an earlier request are released in time", async () => {
    const scene = await withStoredImage(undefined, { bodies: { waitMs: 60_000 } });
    const requests = Array.from({ length: 5 }, () => scene.ask(bodyOf(scene)));
    await scene.called(2);
    scene.gate.open();
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});

it("each reference to an item counts, also to the same one", async () => {
  const scene = await withStoredImage(undefined, { maxBodyBytes: 200_000, maxBufferedRequestBytes: 800_000 });
  const reference = { type: "item_reference", id: scene.itemId };
  const running = scene.ask({ input: [reference, reference], store: false });
  await scene.called(1);
  const refused = await scene.ask({ input: [reference], store: false });
  expect((await refused.json()).error.code).toBe("over_capacity");
  scene.gate.open();
  expect((await running).status).toBe(200);
});

describe("a request that waits to load stored bytes", () => {
  const waiting = async () => {
    const scene = await withStoredImage(undefined, { bodies: { waitMs: 60_000 } });
    const body = { input: "More?", previous_response_id: scene.first.id, store: false };
    const running = [scene.ask(body), scene.ask(body)];
    await scene.called(2);
    return { ...scene, body, running };
  };

  it("ends when its client leaves", async () => {
    const { ask, body, secret, gateway } = await waiting();
    const client = new AbortController();
    const left = ask(body, secret, client.signal);
    await expect.poll(() => gateway.inspect().inFlight).toBe(3);
    client.abort();
    await expect.poll(() => gateway.inspect().inFlight).toBe(2);
    await left.catch(() => undefined);
  });

  it("is refused at the end of a drain", async () => {
    const { ask, body, gate, gateway } = await waiting();
    const refused = ask(body);
    await expect.poll(() => gateway.inspect().inFlight).toBe(3);
    const drained = gateway.drain({ timeoutMs: 1 });
    expect((await refused).status).toBe(503);
    gate.open();
    await drained;
  });
});

it("refuses a request that is too large together with the stored items that it refers to", async () => {
  const { ask, first, itemId } = await withStoredImage();
  const input = [imageItem, { role: "user", content: [{ type: "input_image", image_url: image(80_000) }] }];
  for (const body of [
    { input, previous_response_id: first.id },
    { input: [...input, { type: "item_reference", id: itemId }] },
  ]) {
    const refused = await ask(body);
    expect([refused.status, (await refused.json()).error.code]).toEqual([400, "invalid_request"]);
  }
});

it("a long input is written for its store in steps, between which others go on", async () => {
  const store = memoryResponseStore();
  const saved = vi.spyOn(store, "save");
  const scripted = scriptedProvider();
  const tested = gatewayUnderTest({
    responses: { store },
    models: [{ id: "vast", maxOutputTokens: 100, price: "free", targets: [{ provider: scripted, model: "up" }] }],
  });
  let turns = 0;
  let watch: ReturnType<typeof setInterval> | undefined;
  scripted.script = {
    complete: async () => {
      watch = setInterval(() => turns++);
      return completionOf("Yes.");
    },
  };
  const text = { type: "input_text", text: "x".repeat(100) };
  const input = Array.from({ length: 10 }, () => ({
    role: "user",
    content: Array.from({ length: 1_000 }, () => text),
  }));
  const response = await tested.gateway.fetch(
    new Request(url, {
      method: "POST",
      headers: { authorization: `Bearer ${await tested.key()}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "vast", input }),
    }),
  );
  clearInterval(watch);
  expect(await response.json()).toMatchObject({ status: "completed", store: true });
  expect(saved.mock.calls[0]?.[0].input).toHaveLength(10);
  expect(turns).toBeGreaterThan(4);
});

it("answers 503 if a store repeats that the items are larger than what it may load", async () => {
  const broken = Object.assign(memoryResponseStore(), {
    conversation: () => ({ outcome: "larger", bytes: 1 }) as const,
  });
  const { ask, first } = await withStoredImage(broken);
  const refused = await ask({ input: "More?", previous_response_id: first.id });
  expect((await refused.json()).error.code).toBe("store_unavailable");
});

describe("the history and the images of a session", () => {
  const withImage = async (sessions: SessionStore, options: Partial<GatewayOptions> = limits) => {
    const tested = await assistantUnderTest({ assistants: { sessions }, gateway: options });
    tested.think(() => ({ content: "A cat." }));
    const ids = [await tested.session(), await tested.session(), await tested.session()];
    for (const id of ids) expect((await tested.say(id, { images: [image(40_000)] })).status).toBe(200);
    const gate = closedGate();
    tested.think(() => ({ content: "Yes.", after: gate.opened }));
    const called = (count: number) => expect.poll(() => tested.provider.calls).toHaveLength(ids.length + count);
    return { ...tested, ids, gate, called };
  };

  it("count in the share of its key before they are loaded, until the turn ends", async () => {
    const store = memorySessionStore();
    const { say, ids, gate, called, close } = await withImage(store);
    const [one = "", other = "", third = ""] = ids;
    const running = [say(one), say(other)];
    await called(2);
    const begins = vi.spyOn(store, "beginTurn");
    const refused = await say(third);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(begins.mock.results.map(({ value }) => value.outcome)).toEqual(["larger"]);
    gate.open();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    // The refused turn has left no lock behind.
    expect((await say(third)).status).toBe(200);
    await close();
  });

  it("that one key can never load are refused with 413", async () => {
    const store = memorySessionStore();
    const { say, ids, close } = await withImage(store);
    for (const turnId of ["turn-1", "turn-2"]) {
      const ref = { id: ids[0] ?? "", account: "acme" };
      await store.beginTurn(ref, { turnId, leaseMs: 60_000, historyLimit: 1 });
      await store.endTurn(ref, { turnId, messages: [], images: [image(80_000)] });
    }
    const refused = await say(ids[0] ?? "");
    expect([refused.status, (await refused.json()).error.code]).toEqual([413, "payload_too_large"]);
    await close();
  });
});
