import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { readModel } from "../../catalogue/model.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import { encodeUtf8 } from "../../wire/bytes.ts";
import { type ReadCompletion, readCompletion } from "./read-completion.ts";

const provider: ProviderAdapter = {
  name: "upstream",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
};
const model = readModel({
  id: "public",
  maxOutputTokens: 10,
  price: "free",
  targets: [{ provider, model: "up-model" }],
});
const [target] = model.targets;
const asked = {
  model,
  exchange: { requestId: "req_1", startedAt: 1_700_000_000_000 },
  size: { promptBound: 10, outputBound: { choices: 1, perChoice: 10, total: 10, isLowered: false, capped: false } },
  hold: { id: undefined, amount: 0n, outputCap: undefined, capWasLowered: false },
};

const readBytes = (json: string) => readCompletion(asked, target, { kind: "bytes", body: encodeUtf8(json) });

describe("an answer of bytes", () => {
  it("changes only the model and a missing fingerprint", () => {
    const others = '"id": "c", "object": "chat.completion", "created": 1741570283';
    const choices =
      '"choices": [ { "index": 0, "message": {"role":"assistant","content":"ä\\n"}, "finish_reason": "stop" } ]';
    const usage = '"usage": { "prompt_tokens": 1, "cost": 1.0e0, "completion_tokens": 2, "total_tokens": 3 }';
    const given = `{ ${others}, "model": "up", ${choices}, ${usage} }`;
    expect(readBytes(given).json).toBe(given.replace('"up"', '"public","system_fingerprint":null'));
  });

  it("hides upstream details of an error that is sent instead of a completion", () => {
    const body = encodeUtf8(
      '{"error":{"message":"up-model at host-a refused that, sorry","type":"invalid_request_error"}}',
    );
    const read = () => readCompletion(asked, target, { kind: "bytes", body, hidden: ["host-a"] });
    expect(read).toThrow(ProviderError);
    try {
      read();
    } catch (cause) {
      expect(ProviderError.is(cause) && cause.details.clientMessage).toBe("[removed] at [removed] refused that, sorry");
    }
  });

  const plain = (usage: string, more = "") =>
    `{ "id":"c","object":"chat.completion","created":1,"model":"up"${more},"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":${usage}}`;
  const counts = '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}';

  it.each([
    ["an error", ',"error":{"message":"sk-secret"},"error":null'],
    ["choices", ',"choices":[{"error":{"message":"sk-secret"}}]'],
    ["usage", ',"usage":{"prompt_tokens":7,"secret":"sk-secret"}'],
  ])("shows nothing of %s that another of the same name hides", (_, more) => {
    expect(readBytes(plain(counts)).json).toMatch(startsBlank);
    expect(readBytes(plain(counts, more)).json).not.toContain("sk-secret");
  });

  it("writes counts as integers", () => {
    const odd = plain(counts.replace(":2", ":2.0")).replace('"created":1', '"created":1e0');
    expect(readBytes(odd).json).toMatch(/"created":1,.*"completion_tokens":2,/);
  });

  it("rejects, before the charge, an answer that cannot be serialized with a lower usage", () => {
    const deep = `,"odd":${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const absurd = '{"prompt_tokens":10,"completion_tokens":900000000,"total_tokens":900000010}';
    expect(() => readBytes(plain(absurd, deep))).toThrow(ProviderError);
  });

  it.each([undefined, null, "text", { kind: "bytes" }])("refuses %j of an adapter without types", (given) => {
    expect(() => readCompletion(asked, target, JSON.parse(JSON.stringify({ given })).given)).toThrow(ProviderError);
  });

  it.each([
    ["a byte order mark", "\ufeff"],
    ["none", ""],
  ])("is read with %s", (_, mark) => {
    const given = `${mark}{"model":"up","choices":[{"message":{"content":"hi"}}]}`;
    expect(JSON.parse(readBytes(given).json)).toMatchObject({ model: "public", object: "chat.completion" });
  });

  it("returns the same to the client, the bill and a turn as for an answer object", () => {
    let kept = 0;
    const unsure = { ...asked, size: { promptBound: 0, outputBound: { ...asked.size.outputBound, total: 0 } } };
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 2 }), (answer, indent) => {
        const json = JSON.stringify(answer, undefined, indent);
        const bytes = (by: typeof asked) =>
          outcome(() => readCompletion(by, target, { kind: "bytes", body: encodeUtf8(json) }));
        const object = (by: typeof asked) => outcome(() => readCompletion(by, target, JSON.parse(json)));
        // Its usage is implausible the second time.
        for (const by of [asked, unsure]) expect(bytes(by)?.told).toEqual(object(by)?.told);
        kept += startsBlank.test(bytes(asked)?.json ?? "") ? 1 : 0;
      }),
      { numRuns: runs(2_000) },
    );
    expect(kept).toBeGreaterThan(runs(2_000) / 10);
  });
});

/** The white space that JSON.stringify leaves out. */
const startsBlank = /^\{\s/;

/** What the client and a turn read, and the usage; undefined: it was refused. */
function outcome(read: () => ReadCompletion) {
  try {
    const done = read();
    const { json, usage, completion } = done;
    return { told: { answer: JSON.parse(json), completion, usage }, json };
  } catch (cause) {
    return ProviderError.is(cause) ? undefined : expect.fail(String(cause));
  }
}

const maybe = <T>(usual: T, ...others: unknown[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const answers = fc
  .record({
    id: maybe("chatcmpl-1", ""),
    object: maybe("chat.completion", "text"),
    created: maybe(1_741_570_283, 0, "now"),
    model: maybe("up", null, "\\u", 3),
    role: maybe("assistant", "bot"),
    content: fc.oneof(fc.string(), fc.constantFrom(null, '"model":"up"', "\\u006d", "{")),
    index: maybe(0, "0"),
    reason: maybe("stop", null, ""),
    total: maybe(3, 4),
    details: maybe(undefined, null, { cached_tokens: 1 }, { cached_tokens: 9 }),
    fingerprint: fc.constantFrom("fp_1", null, undefined),
  })
  .map(({ role, content, index, reason, total, details, fingerprint, ...envelope }) => ({
    ...envelope,
    choices: [{ index, message: { role, content }, finish_reason: reason }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: total, prompt_tokens_details: details },
    system_fingerprint: fingerprint,
  }));
