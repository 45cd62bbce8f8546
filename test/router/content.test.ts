import { type GatewayOptions, memoryContentStore } from "@tollgate/core";
import type { ContentStore, RequestContentRecord } from "@tollgate/core/store";
import { describe, expect, it, vi } from "vitest";
import { routed } from "../routing/routed.ts";
import { answersWith, named } from "../routing/scripts.ts";
import { closedGate } from "../support/gate.ts";

/** A gateway whose model logs content, and what its store has received. */
function logging(
  options: {
    readonly redact?: (record: RequestContentRecord) => RequestContentRecord | undefined;
    readonly maxBytes?: number;
  } = {},
  store: ContentStore = memoryContentStore(),
  logContent = true,
  more: Partial<GatewayOptions> = {},
) {
  const records: RequestContentRecord[] = [];
  const content = {
    store: {
      ...store,
      record: (given: readonly RequestContentRecord[]) => {
        records.push(...given);
        return store.record(given);
      },
      find: (id: string) => store.find(id),
      prune: (before: Date) => store.prune(before),
    },
    ...options,
  };
  return { ...routed([named("one", answersWith("Hello back"))], { content, ...more }, { logContent }), records };
}

describe.each([false, true])("the content of a request with stream %s", (stream) => {
  it("is stored when its model asks for it", async () => {
    const { ask, gateway, records } = logging();
    await ask(stream);
    await gateway.drain();
    expect(records).toMatchObject([
      {
        account: "acme",
        model: "plain",
        request: { messages: [{ role: "user" }] },
        response: { choices: [{ message: { content: "Hello back" } }], usage: { total_tokens: expect.any(Number) } },
      },
    ]);
  });

  it("is not stored when neither its model nor its key asks for it", async () => {
    const { ask, gateway, records } = logging({}, memoryContentStore(), false);
    await ask(stream);
    await gateway.drain();
    expect(records).toEqual([]);
  });

  it("is stored when its key asks for it", async () => {
    const { chat, key, gateway, records } = logging({}, memoryContentStore(), false);
    await (await chat(await key({ logContent: true }), { stream })).text();
    await gateway.drain();
    expect(records).toHaveLength(1);
  });

  it("is stored as the host redacts it, and not at all if that fails", async () => {
    const redact = vi.fn(
      (record: RequestContentRecord): RequestContentRecord => ({ ...record, request: "[redacted]" }),
    );
    const { ask, gateway, records, reported } = logging({ redact });
    await ask(stream);
    redact.mockImplementationOnce(() => {
      throw new Error("no");
    });
    await ask(stream);
    await gateway.drain();
    expect(records.map(({ request }) => request)).toEqual(["[redacted]"]);
    expect(reported("content.lost")).toHaveLength(1);
  });

  it("is left out where it is larger than maxBytes", async () => {
    const { ask, gateway, records } = logging({ maxBytes: 5 });
    await ask(stream);
    await gateway.drain();
    expect(records).toMatchObject([{ model: "plain" }]);
    expect(records[0]).not.toHaveProperty("request");
    expect(records[0]).not.toHaveProperty("response");
  });
});

it.each([
  [
    "/messages",
    { max_tokens: 100, messages: [{ role: "user", content: "Hi" }] },
    { type: "message", content: [{ type: "text", text: "Hello back" }] },
  ],
  [
    "/responses",
    { input: "Hi" },
    { object: "response", output: [{ type: "message", content: [{ type: "output_text", text: "Hello back" }] }] },
  ],
])("the content of a stream of %s is stored as an answer in one piece", async (path, body, answer) => {
  const { key, gateway, records } = logging();
  const response = await gateway.fetch(
    new Request(`http://gateway.test/router/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${await key()}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "plain", stream: true, ...body }),
    }),
  );
  await response.text();
  await gateway.drain();
  expect(records).toMatchObject([{ request: body, response: answer }]);
});

it("a content store that is down delays no request", async () => {
  const down = { ...memoryContentStore(), record: () => Promise.reject(new Error("the disk is full")) };
  const { ask, gateway, reported } = logging({}, down);
  expect((await ask(false)).status).toBe(200);
  await gateway.drain();
  expect(reported("content.delayed")).toMatchObject([{ waiting: 1, cause: { message: "the disk is full" } }]);
});

it.each([
  { stream: false, length: 11_000 },
  // While a stream runs, its body counts as well.
  { stream: true, length: 7_000 },
])(
  "content that waits takes at most half of the memory of its key, with stream $stream",
  async ({ stream, length }) => {
    const store = memoryContentStore();
    const stored = closedGate();
    const slow: ContentStore = {
      record: async (given) => {
        await store.record(given);
        stored.open();
      },
      find: (id) => store.find(id),
      list: (query) => store.list(query),
      remove: (records) => store.remove(records),
      prune: (before) => store.prune(before),
    };
    const options = { maxBodyBytes: 40_000, maxBufferedRequestBytes: 160_000 };
    const { ask, chat, key, gateway, records, reported } = logging({}, slow, true, options);
    const messages = [{ role: "user", content: "x".repeat(length) }];
    // Each takes more than half of the 20,000 bytes that are left for it, until the store is called a second later.
    for (let requests = 1; requests <= 3; requests++) expect((await ask(stream, { messages })).status).toBe(200);
    expect(reported("content.lost")).toHaveLength(2);
    await (await chat(await key(), { stream, messages })).text();
    expect(reported("content.lost")).toHaveLength(2);
    await stored.opened;
    await new Promise((resolve) => setImmediate(resolve));
    await ask(stream, { messages });
    await gateway.drain();
    expect(reported("content.lost")).toHaveLength(2);
    expect(records).toHaveLength(3);
  },
);
