import { memorySessionStore } from "@tollgate/core";
import type { ClientData, SessionRef } from "@tollgate/core/store";
import { readClientData } from "@tollgate/core/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliUnderTest, openCli } from "./in-process.ts";

let sessions: ReturnType<typeof memorySessionStore>;
let cli: CliUnderTest;

beforeEach(() => {
  sessions = memorySessionStore();
  cli = openCli({ sessions });
});
afterEach(() => cli.close());

const create = async (account = "acme", assistantId = "desk", clientData: ClientData = {}): Promise<SessionRef> => {
  const ref = { id: crypto.randomUUID(), account };
  await sessions.create({ ...ref, assistantId, clientData, ttlMs: 3_600_000 });
  return ref;
};

const say = async (ref: SessionRef, content: string) => {
  const turnId = crypto.randomUUID();
  await sessions.beginTurn(ref, { turnId, leaseMs: 60_000, historyLimit: 0 });
  await sessions.endTurn(ref, { turnId, messages: [{ role: "user", content }], images: [] });
};

const log = (ref: SessionRef, trigger: string) =>
  ({
    id: crypto.randomUUID(),
    session_id: ref.id,
    trigger,
    tool_call_id: "call_1",
    started_at: "2026-01-02T03:04:05.678Z",
    duration_ms: 12.5,
    attempts: [],
    request: { method: "POST", url: "https://api.example/orders", header_names: [], body: null },
    response: { status: 200, content_type: null, bytes: 2, body: "{}", truncated: false },
    variables: [],
    outcome: "succeeded",
    error: null,
    merged_keys: [],
    warnings: [],
  }) as const;

const json = async (...argv: string[]) => {
  const { code, out, err } = await cli.run(["sessions", ...argv, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return out;
};

describe("sessions list", () => {
  it("lists the newest sessions, of one account or one assistant", async () => {
    const own = await create();
    for (let count = 0; count < 24; count++) await create("other", count % 2 === 0 ? "desk" : "shop");
    expect(JSON.parse(await json("list")).sessions).toHaveLength(20);
    expect(JSON.parse(await json("list", "--last", "1000")).sessions).toHaveLength(25);
    expect(JSON.parse(await json("list", "--assistant", "shop")).sessions).toHaveLength(12);
    const [only] = JSON.parse(await json("list", "--account", "acme", "--assistant", "desk")).sessions;
    expect(only).toMatchObject({ ...own, assistantId: "desk", clientData: {} });
  });

  it("fits into a terminal", async () => {
    expect((await cli.run(["sessions", "list"])).out).toBe("No sessions were found.\n");
    const { id } = await create("customer-".repeat(8), "desk-".repeat(8));
    const { out } = await cli.run(["sessions", "list"], { columns: 90 });
    expect(out.split("\n").map((line) => line.length <= 90)).toEqual([true, true, true]);
    expect(out).toContain(id);
  });
});

describe("sessions show", () => {
  it("shows a session of any account, with the digits of its numbers", async () => {
    const ref = await create("acme", "desk", readClientData('{"order":12345678901234567890}'));
    await say(ref, "hello");
    const out = await json("show", ref.id);
    expect(out).toContain('"clientData":{"order":12345678901234567890}');
    expect(JSON.parse(out)).toMatchObject({ ...ref, assistantId: "desk", turns: 1, expiresAt: expect.any(String) });
    const text = (await cli.run(["sessions", "show", ref.id])).out;
    expect(text).toMatch(/^turns +1\nclient data +\{"order":12345678901234567890\}\n/m);
  });
});

describe("sessions messages", () => {
  it("shows all messages, oldest first", async () => {
    const ref = await create();
    expect((await cli.run(["sessions", "messages", ref.id])).out).toBe("The session has no messages.\n");
    for (let count = 1; count <= 502; count++) await say(ref, `message ${count}`);
    const { messages } = JSON.parse(await json("messages", ref.id));
    expect(messages).toHaveLength(502);
    expect(messages[501]).toMatchObject({ sequence: 502, message: { role: "user", content: "message 502" } });
    const { out } = await cli.run(["sessions", "messages", ref.id]);
    expect(out).toMatch(/^SEQUENCE +AT +ROLE +CONTENT\n +1 +\S+Z +user +message 1\n/);
  });
});

describe("sessions logs", () => {
  it("shows all logs, newest first", async () => {
    const ref = await create();
    expect((await cli.run(["sessions", "logs", ref.id])).out).toBe("The session has no webhook logs.\n");
    for (let count = 1; count <= 102; count++) await sessions.appendLog(ref, log(ref, `trigger-${count}`));
    const { logs } = JSON.parse(await json("logs", ref.id));
    expect(logs).toHaveLength(102);
    expect(logs[0]).toMatchObject({ sequence: 102, log: { trigger: "trigger-102" } });
    const { out } = await cli.run(["sessions", "logs", ref.id]);
    expect(out).toMatch(/\n +102 +2026-01-02T03:04:05\.678Z +trigger-102 +succeeded +200 +12\.5 +https:\/\/api/);
  });
});

it.each(["show", "messages", "logs"])("sessions %s exits with 1 for an unknown session", async (command) => {
  const { code, out, err } = await cli.run(["sessions", command, crypto.randomUUID()]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toBe("There is no session with this id, or it has expired. Find it with `tollgate sessions list`.\n");
});
