import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ErrorCode } from "../errors/error-table.ts";
import type { GatewayEvent } from "../ports/observer.ts";
import { consoleObserver } from "./console-observer.ts";

const refusal = (at: number, upstreamModel = "big", failure = "credentials"): GatewayEvent => ({
  type: "attempt.failed",
  at,
  requestId: "1",
  provider: "acme",
  upstreamModel,
  failure,
  durationMs: 1,
  detail: "acme answered 401. Check the API key.",
});

const refused = (status: number, code: ErrorCode) =>
  ({
    type: "request.refused",
    at: 0,
    id: "uuid",
    requestId: "1",
    endpoint: "chat.completions",
    durationMs: 1,
    timeline: [],
    ending: "refused",
    status,
    code,
  }) as const;

describe("consoleObserver", () => {
  const printed = vi.spyOn(console, "error");
  beforeEach(() => void printed.mockReset().mockImplementation(() => undefined));
  afterAll(() => printed.mockRestore());

  it("prints that a provider rejects the host's key, and how to fix it", () => {
    consoleObserver()(refusal(0));
    expect(printed.mock.calls).toEqual([
      ['tollgate: the provider "acme" rejects the model "big" for this gateway. acme answered 401. Check the API key.'],
    ]);
  });

  it("prints the same problem once per minute", () => {
    const observe = consoleObserver();
    for (const at of [0, 1, 59_999]) observe(refusal(at));
    expect(printed).toHaveBeenCalledTimes(1);
    observe(refusal(2, "small"));
    observe(refusal(60_000));
    expect(printed).toHaveBeenCalledTimes(3);
  });

  it.each<[string, (matter: string) => GatewayEvent]>([
    ["charge that was not posted", (matter) => ({ type: "ledger.conflict", at: 0, holdId: matter })],
    ["invalid list", (matter) => ({ type: "configuration.failed", at: 0, cause: new Error(matter) })],
  ])("prints each %s, also within a minute of another", (_, eventOf) => {
    const observe = consoleObserver();
    for (const matter of ["one", "other", "one"]) observe(eventOf(matter));
    expect(printed.mock.calls).toEqual([[expect.stringContaining("one")], [expect.stringContaining("other")]]);
  });

  it.each<[string, GatewayEvent]>([
    ["a failing upstream", refusal(0, "big", "failed")],
    ["a client's mistake", refused(400, "invalid_json")],
    ["a drain's refusal", refused(503, "draining")],
  ])("prints nothing for %s", (_, event) => {
    consoleObserver()(event);
    expect(printed).not.toHaveBeenCalled();
  });

  it.each<[GatewayEvent, string]>([
    [
      {
        type: "usage.implausible",
        at: 0,
        requestId: "1",
        keyId: "key",
        account: "acme",
        model: "public",
        provider: "up",
        upstreamModel: "big",
        reported: { prompt_tokens: 900, completion_tokens: 1, total_tokens: 901 },
        charged: { prompt_tokens: 90, completion_tokens: 0, total_tokens: 90 },
      },
      'the provider "up" reported 901 tokens for a request of "big", more than ten times the tokens that were reserved. It was charged 90. Check `imageTokens`, `maxOutputTokens` and `contextWindow` of the model "public".',
    ],
    [{ ...refused(503, "store_unavailable"), cause: new Error("gone") }, "503 store_unavailable: gone"],
    [{ type: "configuration.failed", at: 0, cause: "no list" }, "no list"],
    [{ type: "settlement.delayed", at: 0, holdId: "h", waiting: 7, cause: new Error("slow") }, "7 charges are delayed"],
    [{ type: "heartbeat.failed", at: 0, part: "sweep", cause: new Error("slow") }, "at sweep: slow"],
    [{ type: "ledger.conflict", at: 0, holdId: "h-1" }, "hold h-1 was not posted"],
    [
      { type: "drain.incomplete", at: 0, requests: 2, settlements: 3, usageRows: 4 },
      "2 requests, 3 charges and 4 rows",
    ],
    [{ type: "usage.delayed", at: 0, part: "prune", waiting: 7, cause: new Error("slow") }, "at prune, with 7 rows"],
    [{ type: "usage.dropped", at: 0, count: 500 }, "500 rows of usage were dropped"],
    [{ type: "content.lost", at: 0, requests: 1 }, "the content of 1 requests was lost"],
  ])("prints %j", (event, text) => {
    consoleObserver()(event);
    expect(printed).toHaveBeenCalledWith(expect.stringContaining(text));
  });
});
