import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { noUsage } from "../../money/cost.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import { readModel } from "../../routing/model.ts";
import { asText, encodeUtf8 } from "../../wire/bytes.ts";
import { turnOffShortcuts } from "../../wire/forwarding/rewrite-request.ts";
import { shortcuts } from "../../wire/forwarding/shortcuts.ts";
import { readCompletion } from "./read-completion.ts";

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
const asked = { model, exchange: { requestId: "req_1", startedAt: 1_700_000_000_000 } };

const read = (body: Uint8Array) => readCompletion(asked, target, { kind: "bytes", body });
const readText = (json: string) => read(encodeUtf8(json));
const jsonOf = (json: string): string => asText(readText(json).json);

describe("an answer of bytes", () => {
  it("changes only the model and a missing fingerprint", () => {
    const others = '"id": "c", "object": "chat.completion", "created": 1741570283';
    const choices =
      '"choices": [ { "index": 0, "message": {"role":"assistant","content":"ä\\n"}, "finish_reason": "stop" } ]';
    const usage = '"usage": { "prompt_tokens": 1, "cost": 1.0e0, "completion_tokens": 2, "total_tokens": 3 }';
    const given = `{ ${others}, "model": "up", ${choices}, ${usage} }`;
    expect(jsonOf(given)).toBe(given.replace('"up"', '"public","system_fingerprint":null'));
  });

  it("hides upstream details of an error that is sent instead of a completion", () => {
    const body = encodeUtf8(
      '{"error":{"message":"up-model at host-a refused that, sorry","type":"invalid_request_error"}}',
    );
    const refused = () => readCompletion(asked, target, { kind: "bytes", body, hidden: ["host-a"] });
    expect(refused).toThrow(ProviderError);
    try {
      refused();
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
    expect(jsonOf(plain(counts))).toMatch(startsBlank);
    expect(jsonOf(plain(counts, more))).not.toContain("sk-secret");
  });

  it("writes counts as integers", () => {
    const odd = plain(counts.replace(":2", ":2.0")).replace('"created":1', '"created":1e0');
    expect(jsonOf(odd)).toMatch(/"created":1,.*"completion_tokens":2,/);
  });

  it("rejects, before the charge, an answer that cannot be serialized with another usage", () => {
    const deep = `,"odd":${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    expect(() => readText(plain(counts, deep))).toThrow(ProviderError);
  });

  it.each([undefined, null, "text", { kind: "bytes" }])("refuses %j of an adapter without types", (given) => {
    expect(() => readCompletion(asked, target, JSON.parse(JSON.stringify({ given })).given)).toThrow(ProviderError);
  });

  it.each([
    ["a byte order mark", "\ufeff"],
    ["none", ""],
  ])("is read with %s", (_, mark) => {
    const given = `${mark}{"model":"up","choices":[{"message":{"content":"hi"}}]}`;
    expect(JSON.parse(jsonOf(given))).toMatchObject({ model: "public", object: "chat.completion" });
  });

  afterEach(() => {
    shortcuts.reference = undefined;
  });

  it("gives the client, the bill and a turn the same as one that is parsed and normalized", () => {
    let forwarded = 0;
    fc.assert(
      fc.property(texts, (body) => {
        const scanned = outcome(body);
        if (scanned === undefined || !scanned.isForwarded) return;
        forwarded += 1;
        turnOffShortcuts();
        const reference = outcome(body);
        shortcuts.reference = undefined;
        expect(scanned).toEqual({ ...reference, isForwarded: true });
      }),
      { numRuns: runs(6_000) },
    );
    expect(forwarded).toBeGreaterThan(runs(6_000) / 5);
  });
});

/** The white space that JSON.stringify leaves out. */
const startsBlank = /^\{\s/;

/** Everything that is read of an answer; undefined if it is refused. */
function outcome(body: Uint8Array) {
  try {
    const done = read(body);
    const { json, usage, answerId, finishReasons, completion, output } = done;
    return {
      isForwarded: json instanceof Uint8Array,
      answer: JSON.parse(asText(json)),
      usage,
      answerId,
      finishReasons,
      completion: structuredClone(completion),
      output: [output.outputBytes, output.outputText(), output.reported],
      charged: JSON.parse(asText(done.withUsage(noUsage))),
      turn: completion,
    };
  } catch (cause) {
    return ProviderError.is(cause) ? undefined : expect.fail(String(cause));
  }
}

const call = { id: "call_1", type: "function", function: { name: "look_up", arguments: '{"a":1}' } };
const whole = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_741_570_283,
  model: "up",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Grüße 😀\n", refusal: null, reasoning_content: "hm" },
      logprobs: { content: [{ token: "a", logprob: -0.1, bytes: [97], top_logprobs: [] }] },
      finish_reason: "stop",
    },
    { index: 1, message: { role: "assistant", content: null, tool_calls: [call, call] }, finish_reason: "tool_calls" },
  ],
  usage: {
    prompt_tokens: 2,
    completion_tokens: 3,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: 1 },
    completion_tokens_details: null,
    cost: 0.5,
  },
};

/** Completions with one of their values replaced, written with white space or without it. */
const written = fc
  .tuple(
    fc.constantFrom(...pathsOf(whole)),
    fc.oneof(
      fc.constantFrom(undefined, null, "", "x", "null", "{", 0, 1, -1, 1.5, 5, 3e9, {}, [], true),
      fc.jsonValue(),
    ),
    fc.boolean(),
    fc.nat(1),
  )
  .map(([path, other, isChanged, indent]) =>
    JSON.stringify(isChanged ? replaceAt(structuredClone(whole), path, other) : whole, undefined, indent),
  );

/** Members that an object gets in addition, often in another spelling or repeated. */
const members = fc.constantFrom(
  '"error":null',
  '"error":{"message":"no"}',
  '"\\u0065rror":1',
  '"id":"other"',
  '"\\u0069d":"other"',
  '"model":"other"',
  '"index":2',
  '"index":1.0',
  '"role":"user"',
  '"content":"other"',
  '"finish_reason":"length"',
  '"prompt_tokens":7',
  '"x_tokens":1e1',
  '"system_fingerprint":"fp"',
  '"system_fingerprint":null',
  '"__proto__":{"id":1}',
  '"ä":{"b":[1,{"c":"\\ud83d"}]}',
);
const puts = fc.constantFrom("", " ", "\\u0061", "\n", '"', "\\", ",", "}", "]", "[", "0", "-", ".0", "e0", "é", ":");

const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 1 });

const texts = fc
  .tuple(written, seldom(members), seldom(fc.tuple(puts, fc.nat(2))), seldom(fc.nat(255)), fc.nat())
  .map(([json, member, change, byte, place]) => {
    const objects = [...json.matchAll(/\{(?=\s*")/g)].map(({ index }) => index + 1);
    const object = objects[place % Math.max(objects.length, 1)] ?? 0;
    const longer = member === null ? json : `${json.slice(0, object)}${member},${json.slice(object)}`;
    const at = place % Math.max(longer.length, 1);
    const changed = change === null ? longer : longer.slice(0, at) + change[0] + longer.slice(at + change[1]);
    const bytes = encodeUtf8(changed);
    if (byte !== null && bytes.length > 0) bytes[place % bytes.length] = byte;
    return bytes;
  });

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

function replaceAt(value: unknown, [name, ...rest]: Path, other: unknown): unknown {
  if (name === undefined) return other ?? null;
  if (typeof value !== "object" || value === null) return value;
  const member: unknown = Reflect.get(value, name);
  if (rest.length > 0 || other !== undefined) Reflect.set(value, name, replaceAt(member, rest, other));
  else if (Array.isArray(value)) value.splice(Number(name), 1);
  else Reflect.deleteProperty(value, name);
  return value;
}
