import type { SessionStore, WebhookLog } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { type SessionsUnderTest, sessionsUnderTest } from "../support/sessions-under-test.ts";

const account = "acme";

async function say(store: SessionStore, id: string, contents: readonly string[]): Promise<void> {
  const turnId = crypto.randomUUID();
  await store.beginTurn({ id, account }, { turnId, leaseMs: 60_000, historyLimit: 10 });
  const messages = contents.map((content) => ({ role: "user", content }) as const);
  await store.endTurn({ id, account }, { turnId, messages, images: [] });
}

const logOf = (session: string, trigger: string): WebhookLog => ({
  id: crypto.randomUUID(),
  session_id: session,
  trigger,
  tool_call_id: "call_1",
  started_at: "2026-01-02T03:04:05.678Z",
  duration_ms: 12.5,
  attempts: [],
  request: null,
  response: null,
  variables: [],
  outcome: "not_sent",
  error: { code: "blocked_target", detail: "private" },
  merged_keys: [],
  warnings: [],
});

async function setScene(messages: number, logs: number) {
  const tested = sessionsUnderTest();
  const secret = await tested.key();
  const { id } = await tested.create(secret);
  await say(
    tested.store,
    id,
    Array.from({ length: messages }, (_, at) => `m${at + 1}`),
  );
  const added = Array.from({ length: logs }, (_, at) => logOf(id, `t${at + 1}`));
  for (const log of added) await tested.store.appendLog({ id, account }, log);
  return { ...tested, id, added, list: (query: string) => listing(tested, secret, `/session/${id}/${query}`) };
}

async function listing({ ask }: SessionsUnderTest, secret: string, path: string) {
  const response = await ask(secret, "GET", path);
  return { status: response.status, ...(await response.json()) };
}

describe("GET /session/{id}/messages", () => {
  it("returns an empty page for a session without messages", async () => {
    const { list } = await setScene(0, 0);
    expect(await list("messages")).toEqual({
      status: 200,
      object: "list",
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
      next: null,
    });
  });

  it("returns messages in the format of completions with an id and a date, oldest first, 20 per page", async () => {
    const { list } = await setScene(45, 0);
    const first = await list("messages");
    expect(first).toMatchObject({ first_id: "1", last_id: "20", has_more: true });
    expect(first.data[0]).toEqual({
      id: "1",
      created_at: expect.stringMatching(/^\d{4}-.+Z$/),
      role: "user",
      content: "m1",
    });
    const second = await list(`messages?after=${first.next}`);
    const third = await list(`messages?after=${second.next}`);
    expect(third).toMatchObject({ has_more: false, next: null, last_id: "45" });
    const all = [first, second, third].flatMap(({ data }) => data.map(({ content }: { content: string }) => content));
    expect(all).toEqual(Array.from({ length: 45 }, (_, at) => `m${at + 1}`));
  });

  it("accepts the id of any message as its cursor, so that clients can poll for new messages", async () => {
    const { id, list, store } = await setScene(3, 0);
    expect((await list("messages?limit=2&after=1")).data).toMatchObject([{ content: "m2" }, { content: "m3" }]);
    expect((await list("messages?after=3")).data).toEqual([]);
    await say(store, id, ["new"]);
    expect((await list("messages?after=3")).data).toMatchObject([{ id: "4", content: "new" }]);
  });
});

describe("GET /session/{id}/logs", () => {
  it("returns logs unchanged, newest first, in pages", async () => {
    const { added, list } = await setScene(0, 5);
    const first = await list("logs?limit=3");
    expect(first).toMatchObject({ object: "list", has_more: true, first_id: added[4]?.id, last_id: added[2]?.id });
    const second = await list(`logs?limit=3&before=${first.next}`);
    expect(second).toMatchObject({ has_more: false, next: null });
    expect([...first.data, ...second.data]).toEqual([...added].reverse());
  });
});

describe("a page", () => {
  const bad = ["", "0", "-1", "1.5", "1e1", "abc", "0x1", " 1", "999999999999999999999", "__proto__"];

  it.each([
    ["messages", "limit", [...bad, "101"]],
    ["messages", "after", bad],
    ["logs", "limit", [...bad, "101"]],
    ["logs", "before", bad],
  ])("of %s is rejected with 400 for an invalid %s", async (list, param, values) => {
    const scene = await setScene(1, 1);
    for (const value of values) {
      const { status, error } = await scene.list(`${list}?${param}=${encodeURIComponent(value)}`);
      expect([value, status, error.code, error.param]).toEqual([value, 400, "invalid_request", param]);
    }
  });

  it("has from 1 to 100 entries", async () => {
    const { list } = await setScene(120, 120);
    for (const name of ["messages", "logs"]) {
      expect((await list(`${name}?limit=100`)).data).toHaveLength(100);
      expect((await list(`${name}?limit=1`)).data).toHaveLength(1);
    }
  });
});
