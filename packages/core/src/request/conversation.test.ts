import { expect, it } from "vitest";
import { RequestReport } from "../events/request-report.ts";
import { encodeUtf8 } from "../wire/bytes.ts";
import { inspectRequest } from "../wire/forwarding/inspect-request.ts";
import { RequestText } from "../wire/forwarding/request-text.ts";
import { promptOf } from "../wire/prompt.ts";
import { Call } from "./call.ts";
import { conversationOf } from "./conversation.ts";

const noFindings = { pricedMembers: new Map(), ttl: undefined, asksForHour: false, spellings: [] };

/** A request with further members of the body, headers, and the session of an assistant. */
function conversation(body: object, headers: Record<string, string> = {}, sessionId?: string): string | undefined {
  const bytes = encodeUtf8(JSON.stringify({ model: "m", ...body }));
  const inspection = inspectRequest(bytes);
  if ("exceeded" in inspection) throw new Error("The body is small.");
  const text = new RequestText(bytes, inspection, undefined);
  const call = new Call({
    dialect: "chat",
    chat: { model: "m" },
    prompt: promptOf([]),
    body: text,
    bytes: bytes.length,
    inspected: noFindings,
    native: undefined,
  });
  const report = new RequestReport("id", "req", 0);
  report.sessionId = sessionId;
  return conversationOf({
    call,
    exchange: { request: { ...unread, header: (name) => headers[name] }, report },
    caller: { key: { account: "acme" } },
  });
}

const unread = {
  method: "POST",
  url: "/chat/completions",
  path: "/chat/completions",
  clientAddress: undefined,
  parsedBody: undefined,
  signal: new AbortController().signal,
  waitUntil: undefined,
  readBody: () => undefined,
};

const claudeUser =
  "user_0123abcd_account_11111111-2222-3333-4444-555555555555_session_66666666-7777-8888-9999-000000000000";

it("is named by the first of body, headers, user and session", () => {
  const headers: Record<string, string> = {
    "x-session-affinity": "affinity",
    "x-session-id": "session",
    "session-id": "codex",
    session_id: "older codex",
    "x-claude-code-session-id": "claude",
  };
  const body: Record<string, unknown> = { prompt_cache_key: "cache", metadata: { user_id: claudeUser } };
  const named = () => conversation(body, headers, "assistant");
  expect(named()).toBe("acme\0cache");
  delete body["prompt_cache_key"];
  for (const [name, value] of Object.entries(headers)) {
    expect(named()).toBe(`acme\0${value}`);
    delete headers[name];
  }
  expect(named()).toBe("acme\u000066666666-7777-8888-9999-000000000000");
  delete body["metadata"];
  expect(named()).toBe("acme\0assistant");
  expect(conversation({})).toBeUndefined();
});

it("reads the session of Claude Code's newer user, and of no other", () => {
  const user = JSON.stringify({ device_id: "d", account_uuid: "", session_id: "66666666-7777" });
  expect(conversation({ metadata: { user_id: user } })).toBe("acme\u000066666666-7777");
  for (const user_id of ["user-42", "", 7, null]) expect(conversation({ metadata: { user_id } })).toBeUndefined();
  for (const metadata of ["text", [], null]) expect(conversation({ metadata })).toBeUndefined();
});

it("ignores a key that is empty, not a text or longer than 4 KiB", () => {
  for (const prompt_cache_key of ["", 7, null, {}, "x".repeat(4_096)]) {
    expect(conversation({ prompt_cache_key }, { "x-session-id": "" })).toBeUndefined();
  }
});
