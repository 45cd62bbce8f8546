import { describe, expect, it } from "vitest";
import { answered, call, readOutcome, redactor, runnerOf, secret, trigger } from "../../test-support/webhook-call.ts";
import type { CompiledWebhook } from "../definition/compiled-webhook.ts";
import { refuseWebhook, runWebhook, type WebhookCall } from "./run-webhook.ts";

describe("a call that is not sent", () => {
  const never = runnerOf(() => expect.unreachable());

  it("has invalid arguments", async () => {
    const { message, log } = readOutcome(await runWebhook(never, redactor, { ...call, arguments: "bad" }));
    expect(message).toMatchObject({
      ok: false,
      status: null,
      error: { code: "invalid_arguments", message: "city is missing, [redacted]", outcome: "not_sent" },
    });
    expect(log).toMatchObject({ request: null, response: null, attempts: [], outcome: "not_sent", variables: [] });
  });

  it("fails to render, and its variables are logged", async () => {
    const error = { code: "unsafe_path_value", message: "No.", certainty: "not_sent", detail: `of ${secret}` } as const;
    const webhook: CompiledWebhook = {
      render: () => ({ outcome: "refused", error, variables: [{ name: "n", source: "client_data", value: secret }] }),
    };
    const { message, log } = readOutcome(
      await runWebhook(never, redactor, { ...call, trigger: { ...trigger, webhook } }),
    );
    expect(message.error).toEqual({ code: "unsafe_path_value", message: "No.", outcome: "not_sent" });
    expect(log).toMatchObject({
      error: { detail: "of [redacted]" },
      variables: [{ name: "n", source: "client_data", value: "[redacted]" }],
    });
  });

  it("has a rendering that throws", async () => {
    const webhook = {
      render: () => {
        throw new Error(secret);
      },
    };
    const { log } = readOutcome(await runWebhook(never, redactor, { ...call, trigger: { ...trigger, webhook } }));
    expect(log).toMatchObject({ outcome: "not_sent", error: { code: "invalid_arguments" } });
  });

  it("was aborted before it began", async () => {
    const { log } = readOutcome(await runWebhook(never, redactor, { ...call, signal: AbortSignal.abort() }));
    expect(log).toMatchObject({ outcome: "not_sent", error: { code: "cancelled" } });
  });

  it("is beyond a limit", () => {
    const { message, log } = readOutcome(
      refuseWebhook(redactor, call, { code: "limit_reached", message: "Enough.", certainty: "not_sent", detail: "16" }),
    );
    expect(message.error).toEqual({ code: "limit_reached", message: "Enough.", outcome: "not_sent" });
    expect(log).toMatchObject({ outcome: "not_sent", error: { code: "limit_reached", detail: "16" } });
  });
});

describe("a faulty runner", () => {
  const broken = async (start: () => unknown, changed: Partial<WebhookCall> = {}) => {
    const runner = Object.assign(
      runnerOf(async () => answered(200, "")),
      { run: start },
    );
    return readOutcome(await runWebhook(runner, redactor, { ...call, ...changed }));
  };

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error(`no ${secret}`);
      },
    ],
    ["rejects", async () => Promise.reject(new TypeError("fetch failed", { cause: new Error("reset") }))],
    ["rejects with what has no words", async () => Promise.reject(Object.create(null))],
    ["gives nothing", async () => undefined],
    ["gives no promise", () => 7],
    ["gives a status that is none", async () => ({ ...answered(200, ""), status: 7 })],
    ["gives a body that is no bytes", async () => ({ ...answered(200, ""), body: "text" })],
    [
      "gives a failure that is none",
      async () => ({ kind: "failed", failure: "tired", certainty: "failed", detail: "", status: null, attempts: [] }),
    ],
    ["gives no attempts", async () => ({ ...answered(200, ""), attempts: undefined })],
  ])("gives a failed result when it %s", async (_, start) => {
    const { message, log } = await broken(start);
    expect(message).toMatchObject({ ok: false, status: null, error: { code: "connect_error", outcome: "unknown" } });
    expect(log.error?.detail).toMatch(/^The runner (?:threw|returned)/);
  });

  it("gives a timeout one second after the timeout of the call, and is aborted", async () => {
    let given: AbortSignal | undefined;
    const runner = runnerOf(({ signal }) => {
      given = signal;
      return new Promise(() => undefined);
    });
    const { message, log } = readOutcome(await runWebhook(runner, redactor, { ...call, timeoutMs: 50 }));
    expect(message.error).toMatchObject({ code: "timeout", outcome: "unknown" });
    expect(log.duration_ms).toBeGreaterThanOrEqual(1_000);
    expect(given?.aborted).toBe(true);
  });

  it("gives a cancelled result when it does not end after an abort", async () => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 20);
    const { message } = await broken(() => new Promise(() => undefined), { signal: ending.signal });
    expect(message.error).toMatchObject({ code: "cancelled", outcome: "unknown" });
  });
});
