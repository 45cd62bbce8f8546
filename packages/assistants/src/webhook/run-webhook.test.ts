import type { WebhookResult } from "@tollgate/core/extension";
import { describe, expect, it } from "vitest";
import {
  answered,
  attempts,
  call,
  readOutcome,
  redactor,
  runnerOf,
  secret,
  trigger,
} from "../../test-support/webhook-call.ts";
import { runWebhook, type WebhookCall } from "./run-webhook.ts";

const run = async (given: WebhookResult, changed: Partial<WebhookCall> = {}) =>
  readOutcome(
    await runWebhook(
      runnerOf(async () => given),
      redactor,
      { ...call, ...changed },
    ),
  );

describe("the tool message", () => {
  it.each([200, 201, 299])("contains the response and the directive for %i", async (status) => {
    const { message, log } = await run(answered(status, '{"temp":[7,null],"k":"s3cret-key"}'));
    expect(message).toEqual({
      ok: true,
      status,
      directive: "Say it kindly.",
      response: { temp: [7, null], k: "[redacted]" },
    });
    expect(log).toMatchObject({
      outcome: "succeeded",
      error: null,
      attempts: [{ duration_ms: 1, status: 200, failure: null }],
    });
  });

  it("has no directive when the trigger has none", async () => {
    const { message } = await run(answered(200, "hi", "text/plain"), { trigger: { ...trigger, directive: undefined } });
    expect(message).toEqual({ ok: true, status: 200, response: "hi" });
  });

  it("has an empty response for 204", async () => {
    expect((await run(answered(204, ""))).message).toMatchObject({ ok: true, status: 204, response: "" });
  });

  it.each([
    [302, "redirect_blocked", false],
    [400, "http_error", true],
    [499, "http_error", true],
    [500, "http_error", false],
    [599, "http_error", false],
    [101, "invalid_response", false],
  ])("has an error for %i: %s, with the body: %s", async (status, code, shown) => {
    const { message, log, changes } = await run(answered(status, '{"why":"x","session":{"client_data":{"a":1}}}'));
    expect(message).toMatchObject({ ok: false, status, error: { code, outcome: "failed" } });
    expect("response" in message).toBe(shown);
    expect("directive" in message).toBe(false);
    expect(changes).toEqual([["a", 1]]);
    expect(log).toMatchObject({
      outcome: "failed",
      error: { code },
      response: { status, body: expect.stringContaining("why") },
    });
  });

  it("differs only in the code for a target that is blocked, unknown or down", async () => {
    const words = await Promise.all(
      (["blocked_target", "dns_error", "connect_error", "tls_error"] as const).map(async (failure) => {
        const { message, log } = await run({
          kind: "failed",
          failure,
          certainty: "not_sent",
          detail: `10.0.0.1 ${secret} https://a:b@h/?key=1`,
          status: null,
          attempts,
        });
        expect(log.error).toEqual({
          code: failure,
          detail: "10.0.0.1 [redacted] https://[redacted]@h/?key=[redacted]",
        });
        expect(message.error.code).toBe(failure);
        return JSON.stringify({ ...message, error: { ...message.error, code: "" } });
      }),
    );
    expect(new Set(words).size).toBe(1);
  });

  it("says that an action of unknown outcome may have been performed", async () => {
    const { message } = await run({
      kind: "failed",
      failure: "timeout",
      certainty: "unknown",
      detail: "",
      status: null,
      attempts,
    });
    expect(message.error).toMatchObject({
      code: "timeout",
      outcome: "unknown",
      message: expect.stringContaining("may or may not have been performed"),
    });
  });

  it.each([
    ["text", "a".repeat(16_001), "text/plain", 16_001],
    ["JSON", JSON.stringify({ a: "b".repeat(20_000) }), "application/json", 20_008],
  ])("truncates %s that is too long", async (_, body, type, length) => {
    const { message } = await run(answered(200, body, type));
    expect(message.response).toBe(`${body.slice(0, 16_000)}\n[truncated: 16000 of ${length} characters]`);
  });

  it("is truncated between code points, after redaction", async () => {
    const { message } = await run(answered(200, `${"a".repeat(15_999)}😀b`, "text/plain"));
    expect(message.response).toBe(`${"a".repeat(15_999)}\n[truncated: 16000 of 16002 characters]`);
    const cut = await run(answered(200, `${"a".repeat(15_995)}${secret}`.padEnd(70_000, "b"), "text/plain"));
    expect(cut.content).not.toContain("s3cre");
    expect(JSON.stringify(cut.log)).not.toContain("s3cre");
  });

  it("never contains the URL, a header or a variable", async () => {
    const results = [answered(500, "x"), answered(301, "x"), answered(404, "x")];
    for (const result of results) expect((await run(result)).content).not.toMatch(/api\.example|authorization|Rome/);
  });
});

describe("the changes of client data", () => {
  it("are those of a JSON response, in order and redacted, without invalid keys", async () => {
    const { changes, log } = await run(
      answered(
        200,
        `{"session":{"client_data":{"b":1,"a":{"t":"${secret}"},"__proto__":1,"session.id":"x","gone":null}}}`,
        "text/plain",
      ),
    );
    expect(changes).toEqual([
      ["b", 1],
      ["a", { t: "[redacted]" }],
      ["gone", null],
    ]);
    expect(log.warnings).toEqual([expect.stringContaining("__proto__"), expect.stringContaining("session.id")]);
    expect(log.merged_keys).toEqual([]);
  });
});

describe("the log", () => {
  it("contains the redacted request, response and variables", async () => {
    const { log } = await run(answered(200, `{"a":"${secret}"}`));
    expect(log).toMatchObject({
      id: "c1",
      session_id: "s1",
      trigger: "order",
      tool_call_id: "t1",
      request: {
        method: "POST",
        url: "https://[redacted]@api.example/x?token=[redacted]&q=[redacted]",
        header_names: ["authorization", "x-a"],
        body: '{"key":"[redacted]"}',
      },
      response: {
        status: 200,
        content_type: "application/json",
        bytes: 18,
        body: '{"a":"[redacted]"}',
        truncated: false,
      },
      variables: [
        { name: "city", source: "argument", value: "Rome city" },
        { name: "api_key", source: "secret" },
      ],
    });
    expect("value" in (log.variables[1] ?? {})).toBe(false);
    expect(new Date(log.started_at).toISOString()).toBe(log.started_at);
    expect(log.duration_ms).toBeGreaterThanOrEqual(0);
  });

  it("contains up to 64 KiB of a response, without splitting a character", async () => {
    const { log } = await run(answered(200, `a${"é".repeat(40_000)}`, "text/plain"));
    expect(log.response).toMatchObject({ bytes: 80_001, truncated: true, body: `a${"é".repeat(32_767)}` });
    const whole = await run(answered(200, "é".repeat(32_768), "text/plain"));
    expect(whole.log.response).toMatchObject({ truncated: false, body: "é".repeat(32_768) });
  });

  it("has a warning for a response that is declared as JSON and is not; the call succeeds", async () => {
    const { message, log } = await run(answered(200, "<html>"));
    expect(message).toMatchObject({ ok: true, response: "<html>" });
    expect(log.warnings).toEqual([expect.stringContaining("read as text")]);
  });
});
