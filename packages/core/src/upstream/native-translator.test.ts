import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "../wire/bytes.ts";
import type { JsonObject } from "../wire/json.ts";
import { AnswerGuard } from "./answer-guard.ts";
import type { NativeEvent, NativeReader } from "./native-reader.ts";
import { NativeTranslator } from "./native-translator.ts";

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const event = (type: string, more: JsonObject = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const members = { known: new Set(["type", "known", "text", "usage"]), opaque: new Set<string>() };
const plain = { textBytes: 0, isSubstantive: false };

/** A reader of a small dialect: start, delta, stop, last, error. It knows deltas by their bytes. */
class Reader implements NativeReader {
  readonly types = new Set(["start", "delta", "stop", "last"]);
  readonly parsed: string[] = [];
  readonly answerId = "answer-1";
  readonly finishReasons = [];

  deltaBytes(bytes: Uint8Array, start: number, end: number): number {
    return decode(bytes.subarray(start, end)).startsWith("event: delta\n") ? 4 : -1;
  }

  read(data: JsonObject): NativeEvent {
    const { type } = data;
    this.parsed.push(String(type));
    if (type === "start") return { ...plain, frame: { ...data, model: "public" } };
    if (type === "stop") return { ...plain, frame: "unchanged", isSubstantive: true, isComplete: true, usage };
    if (type === "last") return { ...plain, frame: "withheld", isComplete: true, isLast: true };
    return { ...plain, frame: "unchanged" };
  }

  finish(): Uint8Array {
    return encodeUtf8(event("last"));
  }

  fail(): Uint8Array {
    return encodeUtf8(event("error"));
  }
}

const translatorOf = (maxEventBytes = 1_000) => {
  const reader = new Reader();
  const context = { hidden: ["sk-secret"], secrets: ["sk-secret"] };
  const unknown: string[] = [];
  const translator = new NativeTranslator(reader, {
    maxEventBytes,
    failureContext: () => context,
    guard: () => new AnswerGuard(members, { public: "public", upstream: "hidden" }, encodeUtf8(""), context),
    onUnknownEvent: (type) => unknown.push(type),
  });
  return { reader, translator, unknown };
};

const answer = event("start", { model: "hidden" }) + event("delta", { text: "Hi" }) + event("stop") + event("last");

describe("NativeTranslator", () => {
  it("forwards events as they are, writes the changed ones, and withholds the last", () => {
    const { reader, translator } = translatorOf();
    const text = decode(translator.translate(encodeUtf8(answer)));
    expect(text).toBe(event("start", { model: "public" }) + event("delta", { text: "Hi" }) + event("stop"));
    expect(reader.parsed).toEqual(["start", "stop", "last"]);
    expect(translator).toMatchObject({ started: true, complete: true, done: true, ended: true, frames: 4, usage });
    expect(translator.reported).toEqual({ usage, outputBytes: 4 });
    expect(decode(translator.finish(usage) as Uint8Array)).toBe(event("last"));
  });

  it("returns the same for every division into two chunks", () => {
    const bytes = encodeUtf8(answer);
    const whole = decode(translatorOf().translator.translate(bytes));
    for (let at = 1; at < bytes.length; at++) {
      const { translator } = translatorOf();
      const pieces = [bytes.slice(0, at), bytes.slice(at)].map((piece) => decode(translator.translate(piece)));
      expect(pieces.join("")).toBe(whole);
      expect(translator.outputBytes).toBe(4);
    }
  });

  // https://github.com/earendil-works/pi/issues/4381
  it("names events that the upstream leaves nameless by the type of their data, and keeps their digits", () => {
    const nameless = `\ufeff${answer.replaceAll(/event: .*\n/g, "")}`.replace('"text":', '"n":1.50,\ndata: "text":');
    const { translator } = translatorOf();
    expect(decode(translator.translate(encodeUtf8(nameless)))).toBe(
      `${event("start", { model: "public" })}event: delta\ndata: {"type":"delta","n":1.50,\ndata: "text":"Hi"}\n\n${event("stop")}`,
    );
  });

  it("leaves out an event whose type is no name, and fails for one without a type", () => {
    const { translator, unknown } = translatorOf();
    expect(translator.translate(encodeUtf8('data: {"type":"a\\nb"}\n\ndata: {}\n\n'))).toBeUndefined();
    expect(unknown).toEqual(["a?b"]);
    expect(translator.failure).toMatchObject({ message: "The upstream sent an event without a type." });
  });

  it("returns the chunk itself when all of it is forwarded", () => {
    const { translator } = translatorOf();
    const chunk = encodeUtf8(event("delta", { text: "a" }) + event("delta", { text: "b" }));
    expect(translator.translate(chunk)).toBe(chunk);
  });

  it("is complete without the last event, once the upstream has said how it ends", () => {
    const { translator } = translatorOf();
    translator.translate(encodeUtf8(`${event("delta")}${event("stop")}event: la`));
    expect(decode(translator.end())).toBe("");
    expect(translator).toMatchObject({ complete: true, done: false, ended: true, failure: undefined });
  });

  it.each([
    ["closes before its end", event("delta"), "closed the stream"],
    ["sends data that is not JSON", "data: nonsense\n\n", "not a JSON object"],
    ["sends an event beyond the limit", `data: {"x":"${"y".repeat(2_000)}"}\n\n`, "longer than the limit"],
  ])("fails when the upstream %s", (_, text, message) => {
    const { translator } = translatorOf();
    translator.translate(encodeUtf8(text));
    translator.end();
    expect(translator.complete).toBe(false);
    expect(translator.failure).toMatchObject({
      failure: "invalid_response",
      message: expect.stringContaining(message),
    });
  });

  it("classifies an error of the upstream, and reads nothing after it", () => {
    const { reader, translator } = translatorOf();
    const failed = event("error", { error: { type: "overloaded_error", message: "Overloaded for sk-secret" } });
    expect(translator.translate(encodeUtf8(failed + event("stop")))).toBeUndefined();
    expect(translator.failure?.failure).toBe("overloaded");
    expect(reader.parsed).toEqual([]);
  });

  it("leaves out events of unknown types, reports each type once, and ignores events without data", () => {
    const { reader, translator, unknown } = translatorOf();
    const text = `${event("new")}data:\n\n${event("new")}data: [DONE]\n\n${event("other")}${event("stop")}`;
    expect(decode(translator.translate(encodeUtf8(text)))).toBe(event("stop"));
    expect(unknown).toEqual(["new", "other"]);
    expect(reader.parsed).toEqual(["stop"]);
  });

  it("writes an event again without a foreign member that shows a secret", () => {
    const { translator } = translatorOf();
    const sent = event("stop", { x: "sk-secret", y: 1 }) + event("stop", { known: "x" });
    expect(decode(translator.translate(encodeUtf8(sent)))).toBe(
      event("stop", { y: 1 }) + event("stop", { known: "x" }),
    );
  });

  it("fails for a secret in a known member, and in an event that cannot be written", () => {
    const nested = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    for (const json of ['"known":"sk-secret"', `"x\\u0041":${nested}`]) {
      const { translator } = translatorOf(100_000);
      expect(translator.translate(encodeUtf8(`data: {"type":"stop",${json}}\n\n`))).toBeUndefined();
      expect(translator.failure).toMatchObject({ failure: "invalid_response" });
    }
  });
});
