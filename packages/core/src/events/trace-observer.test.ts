import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { GatewayEvent } from "../ports/observer.ts";
import { traceObserver } from "./trace-observer.ts";

const completed: GatewayEvent = {
  type: "request.completed",
  at: 0,
  id: "uuid",
  requestId: "request-1",
  endpoint: "chat.completions",
  status: 200,
  durationMs: 843,
  ending: "complete",
  timeline: [],
};

describe("traceObserver", () => {
  const printed = vi.spyOn(console, "error");
  beforeEach(() => void printed.mockReset().mockImplementation(() => undefined));
  afterAll(() => printed.mockRestore());

  it("prints who called, the steps, the failures, the tokens and the costs of a request", () => {
    const tokens = { input: 12, cachedInput: 5, cacheWrite5m: 0, cacheWrite1h: 0, output: 30, reasoning: 0 };
    traceObserver()({
      ...completed,
      keyId: "key-1",
      account: "acme",
      plan: "prepaid",
      model: "everyday-1",
      timeline: [
        { step: "admitted", at: 0 },
        { step: "attempt", at: 2, detail: "openai/gpt-5-mini" },
        { step: "attempt.failed", at: 310, detail: "overloaded", status: 503, message: "Try later." },
        { step: "attempt", at: 311, detail: "google/gemini" },
        { step: "settled", at: 842 },
        { step: "answered", at: 10_843 },
      ],
      tokens,
      estimated: true,
      implausible: true,
      cost: 12_000n,
      upstreamCost: 9_000n,
      finishReasons: ["stop"],
    });
    expect(printed.mock.calls).toEqual([
      [
        [
          "tollgate: chat.completions 200, complete after 843 ms, request request-1",
          "  account acme, key key-1, plan prepaid, model everyday-1",
          "        0 ms  admitted",
          "        2 ms  attempt openai/gpt-5-mini",
          '      310 ms  attempt.failed overloaded 503 "Try later."',
          "      311 ms  attempt google/gemini",
          "      842 ms  settled",
          "    10843 ms  answered",
          "  tokens input 12 cachedInput 5 output 30, estimated, reduced to ten times the hold, cost 0.000012, upstream cost 0.000009, finished with stop",
        ].join("\n"),
      ],
    ]);
  });

  it("prints the code of a refusal, and nothing that the request does not have", () => {
    traceObserver()({ ...completed, type: "request.refused", status: 401, code: "invalid_api_key", ending: "refused" });
    expect(printed.mock.calls).toEqual([
      ["tollgate: chat.completions 401 invalid_api_key, refused after 843 ms, request request-1"],
    ]);
  });

  it("prints no control characters of an upstream", () => {
    const message = "\u001b[2J\nforged line\u009b1m\u202e";
    traceObserver()({ ...completed, timeline: [{ step: "attempt.failed", at: 1, message }] });
    expect(printed.mock.calls[0]?.[0].split("\n").slice(1)).toEqual([
      '        1 ms  attempt.failed "\ufffd[2J\ufffdforged line\ufffd1m\ufffd"',
    ]);
  });

  it("also prints the problems that the host has to fix", () => {
    traceObserver()({ type: "ledger.conflict", at: 0, holdId: "h-1" });
    expect(printed.mock.calls).toEqual([[expect.stringContaining("hold h-1 was not posted")]]);
  });

  it("prints nothing for other events", () => {
    traceObserver()({ type: "request.started", at: 0, requestId: "request-1", endpoint: "chat.completions" });
    expect(printed).not.toHaveBeenCalled();
  });
});
