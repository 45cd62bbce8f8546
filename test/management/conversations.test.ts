import { parseLosslessJson } from "@tollgate/core/provider";
import type { SessionRef, SessionStore, WebhookLog } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { type Scene, setScene } from "./scene.ts";

/** Creates a session with one turn and one log. */
async function createSession({ stores: { sessions } }: Scene, account = "acme"): Promise<SessionRef> {
  const ref = { id: crypto.randomUUID(), account };
  const clientData = Object(parseLosslessJson('{"order":12345678901234567890}'));
  await sessions.create({ ...ref, assistantId: "support", clientData, ttlMs: 60_000 });
  await takeTurn(sessions, ref);
  await sessions.appendLog(ref, log(ref));
  return ref;
}

async function takeTurn(sessions: SessionStore, ref: SessionRef): Promise<void> {
  const turnId = crypto.randomUUID();
  await sessions.beginTurn(ref, { turnId, leaseMs: 1_000, historyLimit: 1 });
  const messages = [
    { role: "user" as const, content: "<b>Hello</b>" },
    { role: "assistant" as const, content: "Hi." },
  ];
  await sessions.endTurn(ref, { turnId, messages, images: [] });
}

const log = ({ id }: SessionRef): WebhookLog => ({
  id: crypto.randomUUID(),
  session_id: id,
  trigger: "find_order",
  tool_call_id: "call_1",
  started_at: "2026-01-01T00:00:00.000Z",
  duration_ms: 5,
  attempts: [],
  request: null,
  response: null,
  variables: [{ name: "number", source: "argument", value: Object(parseLosslessJson("[12345678901234567890]"))[0] }],
  outcome: "succeeded",
  error: null,
  merged_keys: [],
  warnings: [],
});

describe("conversations", () => {
  it("are listed across accounts, and filtered", async () => {
    await using scene = await setScene();
    const { id } = await createSession(scene);
    await createSession(scene, "other");
    const count = async (query: string) => Object((await scene.ask("GET", `/conversations${query}`)).json).data.length;
    expect([await count(""), await count("?account=acme"), await count("?assistant=none")]).toEqual([2, 1, 0]);
    const { json } = await scene.ask("GET", "/conversations?account=acme", { as: "viewer" });
    expect(json).toMatchObject({ data: [{ id, account: "acme", assistant_id: "support" }] });
  });

  it("show their client data with all digits, to an operator alone", async () => {
    await using scene = await setScene();
    const { id } = await createSession(scene);
    const { status, text, json } = await scene.ask("GET", `/conversations/${id}`, { as: "operator" });
    expect([status, Object(json).turns]).toEqual([200, 1]);
    expect(text).toContain('"client_data":{"order":12345678901234567890}');
    const shown = await scene.ask("GET", `/conversations/${id}`, { as: "viewer" });
    expect(shown).toMatchObject({ status: 200, json: { id, turns: 1 } });
    expect(shown.json).not.toHaveProperty("client_data");
  });

  it("show messages and logs in their order to an operator alone", async () => {
    await using scene = await setScene();
    const { id } = await createSession(scene);
    const messages = await scene.ask("GET", `/conversations/${id}/messages?limit=1`, { as: "operator" });
    expect(messages).toMatchObject({ json: { data: [{ sequence: 1, message: { content: "<b>Hello</b>" } }] } });
    const { next } = Object(messages.json);
    const rest = await scene.ask("GET", `/conversations/${id}/messages?cursor=${next}`, { as: "operator" });
    expect(rest).toMatchObject({ json: { data: [{ sequence: 2, message: { role: "assistant" } }], next: null } });
    const logs = await scene.ask("GET", `/conversations/${id}/logs`, { as: "operator" });
    expect(logs).toMatchObject({ json: { data: [{ sequence: 1, log: { trigger: "find_order" } }] } });
    expect(logs.text).toContain('"value":12345678901234567890');
    expect(await scene.ask("GET", `/conversations/${id}/logs`, { as: "viewer" })).toMatchObject({ status: 403 });
    expect(await scene.ask("GET", `/conversations/${id}/messages`, { as: "viewer" })).toMatchObject({ status: 403 });
  });

  it("that are unknown are 404", async () => {
    await using scene = await setScene();
    for (const path of ["", "/messages", "/logs"]) {
      expect(await scene.ask("GET", `/conversations/${crypto.randomUUID()}${path}`)).toMatchObject({ status: 404 });
    }
  });
});
